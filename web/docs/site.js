/** The documentation works without this; with it one can search, copy, choose a language and try calls. */
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

function offerMenu() {
  const button = document.querySelector('.menu');
  button.hidden = false;
  button.addEventListener('click', () => {
    const isOpen = button.getAttribute('aria-expanded') !== 'true';
    button.setAttribute('aria-expanded', String(isOpen));
    byId('side').toggleAttribute('data-open', isOpen);
  });
}

const RESULTS_AT_MOST = 12;

/** Every word must be found; one in the title counts most. */
function score(entry, words) {
  let sum = 0;
  for (const word of words) {
    const place = entry.titleText.indexOf(word);
    if (place === 0) sum += 12;
    else if (place > 0) sum += 8;
    else if (entry.text.includes(word)) sum += 2;
    else return 0;
  }
  return sum;
}

async function readIndex(url) {
  const entries = await (await fetch(url)).json();
  return entries.map((entry) => ({
    ...entry,
    titleText: entry.title.toLowerCase(),
    text: `${entry.kind} ${entry.words}`.toLowerCase(),
  }));
}

function offerSearch() {
  const input = byId('search');
  const found = byId('found');
  let index;
  const close = () => {
    found.hidden = true;
  };
  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return close();
    index ??= readIndex(input.dataset.index);
    const entries = await index.catch(() => []);
    const hits = entries
      .map((entry) => ({ entry, points: score(entry, words) }))
      .filter(({ points }) => points > 0)
      .sort((left, right) => right.points - left.points)
      .slice(0, RESULTS_AT_MOST);
    const links = hits.map(({ entry }) =>
      element(
        'li',
        {},
        element(
          'a',
          { href: entry.url },
          element('strong', {}, entry.title),
          element('span', { class: 'soft' }, entry.kind),
        ),
      ),
    );
    const count =
      hits.length === 0
        ? 'Nothing found. Try one word, such as “webhook” or “recipient”.'
        : hits.length === RESULTS_AT_MOST
          ? `The best ${hits.length}`
          : `${hits.length} found`;
    found.replaceChildren(element('p', { role: 'status' }, count), element('ul', {}, ...links));
    if (hits.length === 0) found.lastChild.remove();
    found.hidden = false;
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

/** Links to single calls from before each group had a page of its own. */
async function followOldLink() {
  const id = location.hash.slice(1);
  if (location.pathname !== '/docs' || !/^[a-z]\w+$/i.test(id) || byId(id)) return;
  const index = await readIndex(byId('search').dataset.index);
  const call = index.find(({ url }) => url.endsWith(`#${id}`));
  if (call) location.replace(call.url);
}

showOrigin();
offerCopies();
offerLanguages();
offerMenu();
offerSearch();
offerTrying();
await followOldLink();
