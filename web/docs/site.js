/**
 * The documentation works without this script, which adds search, copy buttons, a choice of language and live calls.
 */
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function showOrigin() {
  const placeholder = 'http://127.0.0.1:8787';
  for (const code of all('[data-sample="curl"] code'))
    code.textContent = code.textContent.replace(placeholder, location.origin);
}

function offerCopies() {
  for (const button of all('.copy')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const code = button.parentElement.querySelector('code').textContent;
      const copied = await navigator.clipboard.writeText(code).then(
        () => true,
        () => false,
      );
      button.textContent = copied ? 'Copied' : 'Select and copy';
      setTimeout(() => button.replaceChildren('Copy'), 2_000);
    });
  }
}

const LANGUAGE = 'payassent-docs-language';

function choose(language) {
  for (const samples of all('.samples')) {
    const blocks = all('[data-sample]', samples);
    const shown = blocks.find((block) => block.dataset.sample === language) ?? blocks[0];
    for (const block of blocks) block.hidden = block !== shown;
    for (const button of all('[data-language]', samples))
      button.setAttribute('aria-pressed', String(button.dataset.language === shown.dataset.sample));
  }
}

function offerLanguages() {
  const remembered = () => {
    try {
      return localStorage.getItem(LANGUAGE);
    } catch {
      return null;
    }
  };
  for (const group of all('.languages')) group.hidden = false;
  for (const button of all('[data-language]'))
    button.addEventListener('click', () => {
      const { top } = button.getBoundingClientRect();
      choose(button.dataset.language);
      // Samples above have another height now; what was clicked stays under the pointer.
      scrollBy(0, button.getBoundingClientRect().top - top);
      try {
        localStorage.setItem(LANGUAGE, button.dataset.language);
      } catch {
        // The choice lasts for this page only.
      }
    });
  choose(remembered() ?? 'curl');
}

const THEME = 'payassent-theme';

/** The same choice as on the other pages; without one, the system's setting. */
function offerThemes() {
  const button = byId('theme');
  const show = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === 'dark' ? 'Light' : 'Dark';
    button.dataset.other = theme === 'dark' ? 'light' : 'dark';
  };
  button.addEventListener('click', () => {
    try {
      localStorage.setItem(THEME, button.dataset.other);
    } catch {
      // The choice lasts for this page only.
    }
    show(button.dataset.other);
  });
  show(document.documentElement.dataset.theme);
  button.hidden = false;
}

function offerMenu() {
  const button = document.querySelector('.menu');
  button.hidden = false;
  button.addEventListener('click', () => {
    const isOpen = button.getAttribute('aria-expanded') !== 'true';
    button.setAttribute('aria-expanded', String(isOpen));
    byId('side').toggleAttribute('data-open', isOpen);
  });
}

/** The search and its index are loaded on the first search. */
async function openSearch({ search, index }) {
  const [{ search: find }, found] = await Promise.all([import(search), fetch(index)]);
  const entries = await found.json();
  return (question) => find(entries, question);
}

function offerSearch() {
  const input = byId('search');
  const found = byId('found');
  let opened;
  const close = () => {
    found.hidden = true;
  };
  const showText = (text, ...more) => {
    found.replaceChildren(element('p', { role: 'status' }, text), ...more);
    found.hidden = false;
  };
  const show = async () => {
    const question = input.value.trim();
    if (question === '') return close();
    opened ??= openSearch(input.dataset);
    const find = await opened.catch(() => undefined);
    // Loaded again with the next letter.
    if (find === undefined) opened = undefined;
    // Something else may have been typed meanwhile.
    if (question !== input.value.trim()) return;
    if (find === undefined)
      return showText('The search could not be loaded. Check the connection, and type again.');
    const hits = find(question);
    const links = hits.map(({ url, title, kind, heading }) =>
      element(
        'li',
        {},
        element(
          'a',
          { href: url },
          element('strong', {}, title),
          element('span', { class: 'soft' }, heading === undefined ? kind : `${kind}: ${heading.text}`),
        ),
      ),
    );
    const count =
      hits.length === 0
        ? 'Nothing found. Try another word, such as “webhook” or “payee”.'
        : `${hits.length} found, the best first`;
    showText(count, ...(hits.length === 0 ? [] : [element('ul', {}, ...links)]));
  };
  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  found.addEventListener('click', (event) => event.target.closest('a') && close());
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    const isTyping = event.target.closest?.('input, textarea, select');
    if (event.key === '/' && !isTyping) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === 'Enter' && event.target === input) found.querySelector('a')?.click();
  });
  document.addEventListener('click', (event) => event.target.closest('.search') || close());
}

/** The device's credential goes as a bearer or in the body: never into an address. */
function requestOf(form) {
  const value = (id) => byId(id)?.value.trim() ?? '';
  const { method, path } = form.dataset;
  const headers = {};
  const query = new URLSearchParams();
  let url = path;
  for (const { dataset, value: text } of all('input[data-in]', form)) {
    if (text === '') continue;
    if (dataset.in === 'path') url = url.replace(`{${dataset.name}}`, encodeURIComponent(text));
    else if (dataset.in === 'query') query.set(dataset.name, text);
    else headers[dataset.name] = text;
  }
  if (value('bearer')) headers.authorization = `Bearer ${value('bearer')}`;
  if (value('api-key')) headers['x-svc-api-key'] = value('api-key');
  if (method !== 'GET' && value('csrf')) headers['x-csrf-token'] = value('csrf');
  const device = value('device-token') && { device_id: value('device-id'), token: value('device-token') };
  const text = form.querySelector('textarea')?.value;
  const request = { method, headers, credentials: 'same-origin' };
  if (method === 'GET') {
    if (device) headers.authorization = `Bearer ${device.token}`;
  } else if (text !== undefined || device) {
    request.body = JSON.stringify({ ...(text ? JSON.parse(text) : {}), ...device });
    headers['content-type'] = 'application/json';
  }
  return [query.size > 0 ? `${url}?${query}` : url, request];
}

function offerTrying() {
  for (const form of all('.try form'))
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const status = form.querySelector('[role=status]');
      const output = form.querySelector('pre');
      status.textContent = 'Sending …';
      try {
        const answer = await fetch(...requestOf(form));
        status.textContent = `${answer.status} ${answer.statusText}`;
        const text = await answer.text();
        try {
          output.textContent = JSON.stringify(JSON.parse(text), null, 2);
        } catch {
          output.textContent = text;
        }
        output.hidden = false;
      } catch (error) {
        status.textContent = `The call could not be sent: ${error.message}`;
      }
    });
}

/** Links to single calls from before each group had its own page. */
async function followOldLink() {
  const id = location.hash.slice(1);
  if (location.pathname !== '/docs' || !/^[a-z]\w+$/i.test(id) || byId(id)) return;
  const { entries } = await (await fetch(byId('search').dataset.index)).json();
  const call = entries.find(({ url }) => url.endsWith(`#${id}`));
  if (call) location.replace(call.url);
}

showOrigin();
offerCopies();
offerLanguages();
offerThemes();
offerMenu();
offerSearch();
offerTrying();
await followOldLink();
