// Notes what a page's policy forbids, and how far what is seen moves by itself.
(() => {
  document.addEventListener('securitypolicyviolation', (event) => {
    window.wayfareTells(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  });
  window.wayfareShift = 0;
  const add = (list) => list.getEntries().forEach((entry) => {
    if (!entry.hadRecentInput) window.wayfareShift += entry.value;
  });
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
})();
