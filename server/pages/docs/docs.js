import { describeMembers, exampleOf, flatten, resolveReferences } from './schema.js';

const byId = (id) => document.getElementById(id);

/** Builds elements; text only ever becomes text. */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'class') node.className = value;
    else if (name in node && typeof value !== 'string') node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== undefined));
  return node;
}

function membersTable(title, rows) {
  if (rows.length === 0) return undefined;
  const head = element(
    'tr',
    {},
    ...['Member', 'Type', 'Presence', 'Notes'].map((text) => element('th', { scope: 'col' }, text)),
  );
  const body = rows.map((row) =>
    element(
      'tr',
      {},
      element('td', {}, row.name),
      element('td', {}, row.type),
      element('td', {}, row.required ? 'required' : ''),
      element('td', {}, row.note),
    ),
  );
  return element(
    'details',
    {},
    element('summary', {}, title),
    element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)),
  );
}

function credentialChips(operation) {
  const names = (operation.security ?? []).map((entry) => Object.keys(entry).join(' + ') || 'no credential');
  return element('div', { class: 'chips' }, ...names.map((name) => element('span', { class: 'chip' }, name)));
}

function errorTable(operation) {
  const rows = Object.entries(operation.responses)
    .filter(([status]) => !(Number(status) < 400))
    .map(([status, answer]) =>
      element('tr', {}, element('td', {}, status), element('td', {}, answer.description.replaceAll('`', ''))),
    );
  return element(
    'details',
    {},
    element('summary', {}, 'Errors'),
    element('table', {}, element('tbody', {}, ...rows)),
  );
}

function tryForm(call) {
  const { operation, method, path } = call;
  // The device's credential has fields of its own on this page, which keep it out of the address.
  const elsewhere = (parameter) =>
    parameter.in === 'query' && (parameter.name === 'device_id' || parameter.name === 'token');
  const parameters = (operation.parameters ?? []).filter(
    (parameter) =>
      !elsewhere(parameter) && (parameter.in !== 'header' || parameter.name === 'X-Idempotency-Key'),
  );
  const inputs = parameters.map((parameter) => ({
    parameter,
    input: element('input', {
      'aria-label': parameter.name,
      placeholder: parameter.required ? 'required' : '',
    }),
  }));
  const schema = operation.requestBody?.content['application/json'].schema;
  const body =
    schema &&
    element(
      'textarea',
      { rows: '8', spellcheck: 'false', 'aria-label': 'Body' },
      JSON.stringify(exampleOf(schema), null, 2),
    );
  const status = element('p', { role: 'status' });
  const output = element('pre', { hidden: true, tabindex: '0' });
  const form = element(
    'form',
    {},
    element(
      'div',
      { class: 'fields' },
      ...inputs.map(({ parameter, input }) =>
        element('label', {}, `${parameter.name} (${parameter.in})`, input),
      ),
    ),
    body && element('label', {}, 'Body', body),
    element('button', {}, 'Send'),
    status,
    output,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    status.className = '';
    status.textContent = 'Sending …';
    try {
      const answer = await send(method, path, inputs, body?.value);
      status.className = answer.ok ? 'good' : 'bad';
      status.textContent = `${answer.status} ${answer.statusText}`;
      output.textContent = await readAnswer(answer);
      output.hidden = false;
    } catch (error) {
      status.className = 'bad';
      status.textContent = `The call could not be sent: ${error.message}`;
    }
  });
  return element('details', {}, element('summary', {}, 'Try it'), form);
}

async function readAnswer(answer) {
  const text = await answer.text();
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function send(method, path, inputs, bodyText) {
  const headers = {};
  const query = new URLSearchParams();
  let url = path;
  for (const { parameter, input } of inputs) {
    if (input.value === '') continue;
    if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
    else if (parameter.in === 'query') query.set(parameter.name, input.value);
    else headers[parameter.name] = input.value;
  }
  const value = (id) => byId(id).value.trim();
  if (value('bearer')) headers.authorization = `Bearer ${value('bearer')}`;
  if (value('api-key')) headers['x-svc-api-key'] = value('api-key');
  if (method !== 'GET' && value('csrf')) headers['x-csrf-token'] = value('csrf');
  const device = value('device-token')
    ? { device_id: value('device-id'), token: value('device-token') }
    : undefined;
  let body;
  if (method === 'GET') {
    // As a bearer the device token stays out of the address.
    if (device) headers.authorization = `Bearer ${device.token}`;
  } else if (bodyText !== undefined || device) {
    body = JSON.stringify({ ...(bodyText ? JSON.parse(bodyText) : {}), ...device });
    headers['content-type'] = 'application/json';
  }
  const search = query.size > 0 ? `?${query}` : '';
  return fetch(url + search, { method, headers, body, credentials: 'same-origin' });
}

/** As a heading: the first sentence of what it does. */
function titleOf(operation) {
  return operation.summary.split(/[;:.]/, 1)[0].trim();
}

function sample({ operation, method, path }, bodySchema) {
  const example = bodySchema && (bodySchema.examples?.[0] ?? exampleOf(bodySchema));
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${location.origin}${path}`,
    ...(operation.security?.length ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...(example
      ? ['-H "content-type: application/json"', `-d '${JSON.stringify(example).replaceAll("'", "'\\''")}'`]
      : []),
  ];
  const code = lines.join(' \\\n  ');
  const copy = element('button', { type: 'button', class: 'copy' }, 'Copy');
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code).catch(() => undefined);
    copy.textContent = 'Copied';
    setTimeout(() => copy.replaceChildren('Copy'), 2_000);
  });
  return element('div', { class: 'sample' }, element('pre', { tabindex: '0' }, code), copy);
}

function article(call) {
  const { operation, method, path } = call;
  // All of them have the same members.
  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  const statuses = successes.map(([status]) => status).join(' or ');
  const bodySchema = operation.requestBody?.content['application/json'].schema;
  return element(
    'article',
    { id: operation.operationId },
    element('h3', {}, element('a', { href: `#${operation.operationId}` }, titleOf(operation))),
    element('p', { class: 'path' }, element('span', { class: 'method' }, method), path),
    operation.description && element('p', {}, operation.description),
    credentialChips(operation),
    sample(call, bodySchema),
    bodySchema && membersTable('Body', describeMembers(bodySchema)),
    membersTable(
      `Answer ${statuses}`,
      describeMembers(flatten(successes[0][1].content['application/json']?.schema)),
    ),
    errorTable(operation),
    tryForm(call),
  );
}

function readCalls(openApi) {
  const calls = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
      tag: operation.tags[0],
    })),
  );
  return calls.map((call) => ({
    ...call,
    text: [call.method, call.path, call.tag, call.operation.operationId, call.operation.summary]
      .join(' ')
      .toLowerCase(),
  }));
}

function draw(calls) {
  const index = byId('index');
  const operations = byId('operations');
  const drawn = calls.map((call) => ({
    call,
    link: element('a', { href: `#${call.operation.operationId}` }, titleOf(call.operation)),
    article: article(call),
  }));
  const tags = [...new Set(calls.map((call) => call.tag))].sort();
  const groups = tags.map((tag) => {
    const mine = drawn.filter((entry) => entry.call.tag === tag);
    return {
      mine,
      section: element('section', {}, element('h2', {}, tag), ...mine.map((entry) => entry.link)),
    };
  });
  index.replaceChildren(...groups.map((group) => group.section));
  operations.replaceChildren(...groups.flatMap((group) => group.mine.map((entry) => entry.article)));
  byId('filter').addEventListener('input', (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/);
    for (const { mine, section } of groups) {
      for (const entry of mine) {
        const isHidden = !words.every((word) => entry.call.text.includes(word));
        entry.link.hidden = isHidden;
        entry.article.hidden = isHidden;
      }
      section.hidden = mine.every((entry) => entry.link.hidden);
    }
    byId('nothing').hidden = groups.some(({ section }) => !section.hidden);
  });
}

const answer = await fetch('/openapi.json');
if (answer.ok) {
  draw(readCalls(resolveReferences(await answer.json())));
  if (location.hash) document.querySelector(CSS.escape(location.hash).replace('\\#', '#'))?.scrollIntoView();
} else {
  byId('operations').replaceChildren(
    element('p', { class: 'bad' }, 'The reference cannot be read just now. Reload the page in a moment.'),
  );
}
