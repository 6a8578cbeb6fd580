// @ts-check
// What pages do beyond links and forms. Each behaviour is found by a `data-` attribute; without scripts all of it can be done without.
(() => {
  'use strict';
  /** @param {string} selector @param {(element: any) => void} act @param {any} [within] */
  const each = (selector, act, within = document) => within.querySelectorAll(selector).forEach(act);

  // Times by the clock of whoever looks.
  const written = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
  const localTimes = (within) => each('time[data-local]', (time) => {
    time.title = time.dateTime;
    time.textContent = written.format(new Date(time.dateTime));
    time.removeAttribute('data-local');
  }, within);

  // Clocks of holds.
  const clocks = () => each('time[data-clock]', (time) => {
    const left = Math.floor((new Date(time.dateTime).getTime() - Date.now()) / 1000);
    const hours = Math.floor(left / 3600);
    time.title = written.format(new Date(time.dateTime));
    time.textContent = left <= 0 ? 'over' : hours >= 48 ? `in ${Math.floor(hours / 24)} days`
      : `in ${hours} h ${String(Math.floor(left / 60) % 60).padStart(2, '0')} min`;
  });
  const waits = () => each('[data-wait]', (wait) => {
    const left = Math.max(0, Number(wait.dataset.wait) - 1);
    wait.dataset.wait = String(left);
    wait.textContent = String(left);
  });
  const again = () => each('form[data-again]', (form) => {
    form.dataset.again = String(Number(form.dataset.again) - 1);
    if (form.dataset.again === '0') form.submit();
  });

  // Shortcuts: one table, which the help shows as well.
  const OFF = 'wayfare-no-shortcuts';
  const isOn = () => localStorage.getItem(OFF) === null;
  const help = () => document.querySelector('#keys');
  const rows = () => [...document.querySelectorAll('.linked tbody tr, .offer')];
  const move = (step) => {
    const all = rows();
    const at = all.findIndex((row) => row.contains(document.activeElement));
    const next = all[Math.min(all.length - 1, Math.max(0, at + step))];
    next?.querySelector('a, button')?.focus();
  };
  const KEYS = [
    ['g t', 'Today'], ['g f', 'Flights'], ['g h', 'Hotels'], ['g b', 'Bookings'], ['g w', 'Wallet'], ['g a', 'Agency'], ['g n', 'Notifications'], ['g p', 'Profile'],
    ['/', 'Search in the page'], ['f', 'Filters'], ['j', 'Next row', () => move(1)], ['k', 'Row before', () => move(-1)],
    ['?', 'This list', () => help()?.showModal()],
    ['g o', 'Overview'], ['g i', 'Incidents'], ['g c', 'Contracts'], ['g r', 'Rates'], ['g l', 'Ledger'],
    ['g s', 'Suppliers'],
    ['1', 'Pick the first ruling'], ['2', 'Pick the second ruling'], ['3', 'Pick the third ruling'],
  ];
  const marked = (keys) => /** @type {any} */ (document.querySelector(`[data-keys="${keys}"]`));
  let begun = '';
  document.addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const types = target.closest('input, select, textarea, dialog[open]');
    if (types || event.ctrlKey || event.metaKey || event.altKey || !isOn()) return;
    const typed = begun ? `${begun} ${event.key}` : event.key;
    begun = '';
    const known = KEYS.find(([keys]) => keys === typed);
    if (!known) {
      begun = typed === 'g' ? 'g' : '';
      return;
    }
    event.preventDefault();
    const [keys, , act] = known;
    const element = marked(keys);
    if (element?.href) element.click();
    else if (act) act();
    else element?.focus();
  });
  const listKeys = () => each('[data-key-list]', (list) => KEYS.forEach(([keys, text, act]) => {
    const element = marked(keys);
    // What a page has none of is not told.
    if (!act && !element) return;
    const [key, what] = [document.createElement('dt'), document.createElement('dd')];
    key.textContent = keys;
    key.className = 'mono';
    // An entry of the bar is called as it is there: the consoles share keys.
    what.textContent = element?.closest('.bar nav') ? element.textContent : text;
    list.append(key, what);
  }));

  // A place as one types: an editable box with a list below it, by the pattern of ARIA.
  const combo = (box) => {
    const input = box.querySelector('input');
    const list = document.createElement('ul');
    list.id = `${input.id}-list`;
    list.hidden = true;
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-label', 'Places');
    box.append(list);
    for (const [name, value] of [['role', 'combobox'], ['aria-autocomplete', 'list'], ['aria-expanded', 'false'], ['aria-controls', list.id]]) {
      input.setAttribute(name, value);
    }
    let timer = 0, at = -1, asked = 0, listed = '';
    // What is listed is for what stands there now, not for what was typed before.
    const isCurrent = () => !list.hidden && at >= 0 && listed === input.value.trim();
    const options = () => [...list.children];
    const show = (open) => {
      list.hidden = !open;
      input.setAttribute('aria-expanded', String(open));
      if (!open) { at = -1; input.removeAttribute('aria-activedescendant'); }
    };
    const mark = (place) => {
      const all = options();
      if (!all.length) return;
      at = (place + all.length) % all.length;
      all.forEach((option, number) => option.setAttribute('aria-selected', String(number === at)));
      input.setAttribute('aria-activedescendant', all[at].id);
      all[at].scrollIntoView({ block: 'nearest' });
    };
    const choose = (option) => { input.value = option.dataset.value; show(false); };
    input.addEventListener('input', () => {
      clearTimeout(timer);
      const typed = input.value.trim();
      if (!typed) return show(false);
      timer = window.setTimeout(async () => {
        const mine = ++asked;
        const answer = await fetch(`${box.dataset.places ?? '/console/flights/places'}?q=${encodeURIComponent(typed)}&id=${input.id}`, { headers: { 'HX-Request': 'true' } });
        if (!answer.ok || mine !== asked || document.activeElement !== input) return;
        list.innerHTML = await answer.text();
        listed = typed;
        show(list.children.length > 0);
        if (!list.hidden) mark(0);
      }, 120);
    });
    input.addEventListener('keydown', (event) => {
      if (list.hidden) return;
      if (event.key === 'ArrowDown') mark(at + 1);
      else if (event.key === 'ArrowUp') mark(at - 1);
      else if (event.key === 'Escape') show(false);
      else if ((event.key === 'Enter' || event.key === 'Tab') && isCurrent()) {
        choose(options()[at]);
        if (event.key === 'Tab') return;
      } else return;
      event.preventDefault();
    });
    list.addEventListener('pointerdown', (event) => {
      const option = /** @type {HTMLElement} */ (event.target).closest('li');
      event.preventDefault();
      if (option) choose(option);
    });
    // What was typed and not chosen becomes what it is taken for, so that it is seen before it is searched.
    input.addEventListener('blur', () => { if (isCurrent()) choose(options()[at]); else show(false); });
    input.addEventListener('focus', () => input.select());
  };

  // Nothing moves under the pointer: once somebody is busy with the results, new ones wait behind a button.
  const results = () => /** @type {any} */ (document.querySelector('#results'));
  for (const kind of ['pointerdown', 'keydown']) {
    document.addEventListener(kind, (event) => {
      const found = results();
      if (found?.contains(/** @type {Node} */ (event.target))) found.dataset.busy = 'yes';
    });
  }
  document.addEventListener('htmx:sse:before:message', (event) => {
    const { message } = /** @type {any} */ (event).detail;
    const found = results();
    if (!found?.dataset.busy || message.event) return;
    event.preventDefault();
    const more = /** @type {any} */ (document.querySelector('#more'));
    if (more) more.hidden = false;
  });
  // A stream that ended without its last message was cut off.
  document.addEventListener('htmx:sse:close', (event) => {
    const cut = /** @type {any} */ (document.querySelector('#cut'));
    if (cut && /** @type {any} */ (event).detail.reason === 'ended') cut.hidden = false;
  });

  const ready = (within) => {
    localTimes(within);
    clocks();
    each('.combo:not([data-on])', (box) => { box.dataset.on = 'yes'; combo(box); }, within);
    each('dialog[data-modal]', (dialog) => { dialog.close(); dialog.showModal(); dialog.removeAttribute('data-modal'); }, within);
    each('[data-focus]', (element) => { element.focus(); element.removeAttribute('data-focus'); }, within);
    each('[data-trip]', trip, within);
    each('[data-print], [data-into]', (element) => { element.hidden = false; }, within);
  };
  // The way back has no day on a one-way trip.
  const trip = (form) => {
    const back = form.querySelector('[name="back"]');
    const set = () => { back.disabled = form.querySelector('[name="trip"]:checked')?.value === 'one'; };
    form.addEventListener('change', set);
    form.removeAttribute('data-trip');
    set();
  };
  document.addEventListener('click', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const opener = target.closest('[data-opens]');
    if (opener) /** @type {any} */ (document.getElementById(opener.getAttribute('data-opens') ?? ''))?.showModal();
    const copy = /** @type {HTMLElement | null} */ (target.closest('[data-copy]'));
    if (copy) navigator.clipboard?.writeText(copy.dataset.copy ?? '').then(() => { copy.textContent = 'Copied'; });
    if (target.closest('[data-print]')) print();
    each('details.menu[open]', (menu) => { if (!menu.contains(target)) menu.open = false; });
  });
  // A file that is chosen becomes the text that is sent.
  document.addEventListener('change', async (event) => {
    const chosen = /** @type {HTMLInputElement} */ (event.target);
    const box = /** @type {HTMLElement | null} */ (chosen.closest('[data-into]'));
    const into = /** @type {any} */ (box && document.getElementById(box.dataset.into ?? ''));
    if (into && chosen.files?.[0]) into.value = await chosen.files[0].text();
  });
  // A form that is sent twice has one key, and one look at it is enough.
  document.addEventListener('submit', (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (form.method === 'post') setTimeout(() => each('button', (button) => { button.disabled = true; }, form));
  });
  window.addEventListener('pageshow', () => each('form button[disabled]', (button) => { button.disabled = false; }));
  document.addEventListener('htmx:after:swap', () => ready(document));
  document.addEventListener('DOMContentLoaded', () => {
    ready(document);
    listKeys();
    each('[data-shortcuts]', (box) => {
      box.checked = isOn();
      box.addEventListener('change', () => (box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, 'yes')));
    });
    setInterval(() => { clocks(); waits(); again(); }, 1000);
  });
})();
