// @ts-check
/* global uPlot */
// The balance over time; the table beside it tells the same.
(() => {
  'use strict';
  const draw = (element) => {
    const text = document.getElementById(element.dataset.plot)?.textContent;
    if (!text) return;
    const data = JSON.parse(text);
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const numbers = (column) => column.map(Number);
    const shown = new Intl.NumberFormat(data.currency === 'INR' ? 'en-IN' : undefined, { style: 'currency', currency: data.currency, notation: 'compact', maximumFractionDigits: 1 });
    const whole = new Intl.NumberFormat(data.currency === 'INR' ? 'en-IN' : undefined, { style: 'currency', currency: data.currency });
    const axis = { stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false }, font: '12px system-ui' };
    const close = colour('--accent');
    const options = {
      width: element.clientWidth, height: 228,
      cursor: { y: false, points: { size: 7 } },
      legend: { live: true },
      scales: { x: { time: true } },
      axes: [axis, { ...axis, size: 72, values: (_, ticks) => ticks.map((tick) => shown.format(tick)) }],
      series: [
        {},
        { label: 'Balance', stroke: close, width: 2, fill: `${close}1A`, points: { show: false }, value: (_, value) => (value == null ? '–' : whole.format(value)) },
        { label: 'Lowest', stroke: colour('--control'), width: 1, dash: [2, 3], points: { show: false }, value: (_, value) => (value == null ? '–' : whole.format(value)) },
      ],
    };
    const plot = new uPlot(options, [data.times, numbers(data.close), numbers(data.low)], element);
    new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: 228 })).observe(element);
  };
  document.addEventListener('DOMContentLoaded', () => document.querySelectorAll('[data-plot]').forEach(draw));
})();
