import { codeBlock, escapeHtml, inline, slug } from './layout.mjs';
import { commandSample, curlSample, typescriptSample } from './samples.mjs';
import { exampleOf, flatten, membersOf } from './schema.mjs';

const CREDENTIALS = {
  merchantSession: 'Merchant session',
  csrf: 'CSRF token',
  agentToken: 'Agent token',
  claimToken: 'Claim token',
  connectionToken: 'Connection token',
  deviceToken: 'Device token',
  apiKey: 'API key',
  adminSession: 'Admin session',
  metricsToken: 'Metrics token',
};

/** As a heading: the first sentence of what it does. */
export function titleOf({ summary }) {
  return summary.split(/[;:.]/, 1)[0].trim();
}

export function readCalls(openApi) {
  return Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
      title: titleOf(operation),
      tag: operation.tags[0],
    })),
  );
}

function memberList(members) {
  const rows = members.map(({ name, type, isRequired, note, members: inner }) => {
    const more =
      inner.length === 0
        ? ''
        : `<details><summary>${inner.length === 1 ? '1 member' : `${inner.length} members`} of <code>${escapeHtml(name)}</code></summary>${memberList(inner)}</details>`;
    const needed = isRequired ? ' <span class="needed">required</span>' : '';
    return `<li><p class="member"><code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(type)}</span>${needed}</p>${note ? `<p>${inline(note)}</p>` : ''}${more}</li>`;
  });
  return `<ul class="members">${rows.join('')}</ul>`;
}

function memberSection(title, members) {
  return members.length === 0 ? '' : `<h3>${title}</h3>${memberList(members)}`;
}

function credentialLine(operation) {
  const kinds = (operation.security ?? []).map((entry) =>
    Object.keys(entry)
      .map((name) => CREDENTIALS[name] ?? name)
      .join(' + '),
  );
  const chips = (kinds.length === 0 ? ['No credential'] : kinds).map(
    (kind) => `<li>${escapeHtml(kind)}</li>`,
  );
  const role = operation['x-required-role'];
  const more = role ? `<li>Role: ${escapeHtml(role)}</li>` : '';
  return `<ul class="chips" aria-label="Credentials">${chips.join('')}${more}</ul>`;
}

function errorList(operation) {
  const failures = Object.entries(operation.responses).filter(([status]) => !(Number(status) < 400));
  const rows = failures.map(
    ([status, { description }]) =>
      `<li><p class="member"><code>${escapeHtml(status)}</code></p><p>${inline(description)}</p></li>`,
  );
  return `<details><summary>Errors</summary><ul class="members">${rows.join('')}</ul><p><a href="/docs/errors">What each code means</a></p></details>`;
}

function tryForm({ method, path, operation }, body) {
  const hidden = (one) =>
    (one.in === 'query' && (one.name === 'device_id' || one.name === 'token')) ||
    (one.in === 'header' && one.name !== 'X-Idempotency-Key');
  const fields = (operation.parameters ?? [])
    .filter((one) => !hidden(one))
    .map(
      (one) =>
        `<label>${escapeHtml(one.name)} <span class="soft">${one.in}</span><input class="input" autocomplete="off" data-in="${one.in}" data-name="${escapeHtml(one.name)}"></label>`,
    );
  const text = body
    ? `<label>Body<textarea class="input" rows="8" spellcheck="false">${escapeHtml(JSON.stringify(body, null, 2))}</textarea></label>`
    : '';
  return `<details class="try"><summary>Try it</summary><form data-method="${method}" data-path="${escapeHtml(path)}">${fields.join('')}${text}<button class="button" data-kind="main">Send</button><p role="status"></p><pre tabindex="0" role="group" aria-label="Response" hidden></pre></form></details>`;
}

function samplesOf(call, body, sdk) {
  const samples = [
    ['curl', curlSample(call, body)],
    ['TypeScript', typescriptSample(sdk.get(call.operation.operationId), call, body)],
    ['CLI', commandSample(call)],
  ].filter(([, code]) => code !== undefined);
  const buttons = samples.map(
    ([name]) => `<button type="button" data-language="${name}" aria-pressed="false">${name}</button>`,
  );
  const blocks = samples.map(
    ([name, code]) => `<div data-sample="${name}">${codeBlock(code, `${name}: ${call.title}`)}</div>`,
  );
  return `<div class="samples"><div class="languages" role="group" aria-label="Language" hidden>${buttons.join('')}</div>${blocks.join('')}</div>`;
}

function article(call, sdk) {
  const { operation, method, path, title } = call;
  const content = operation.requestBody?.content['application/json'];
  const body = content && (content.example ?? exampleOf(content.schema));
  const successes = Object.entries(operation.responses).filter(([code]) => Number(code) < 400);
  // A 200 in addition to a 201 is for a repeat.
  const [status, success] = successes.find(([code]) => code === '201') ?? successes[0] ?? [];
  const answer = success?.content?.['application/json']?.schema;
  const parameters = (operation.parameters ?? []).map((one) => ({
    name: one.name,
    type: one.in,
    isRequired: one.required === true,
    note: one.description ?? '',
    members: [],
  }));
  const response = answer ? JSON.stringify(exampleOf(flatten(answer)), null, 2) : undefined;
  return `<article id="${operation.operationId}" class="call">
<div class="call-text"><h2><a href="#${operation.operationId}">${escapeHtml(title)}</a></h2>
<p class="path"><span class="method" data-method="${method}">${method}</span> <code>${escapeHtml(path)}</code></p>
<p>${inline(operation.description ?? '')}</p>
${credentialLine(operation)}
${memberSection('Parameters', parameters)}
${content ? memberSection('Body', membersOf(content.schema)) : ''}
${answer ? `<details><summary>Response ${status}</summary>${memberList(membersOf(flatten(answer)))}</details>` : ''}
${errorList(operation)}
${tryForm(call, body)}</div>
<div class="call-side">${samplesOf(call, body, sdk)}
${response ? `<h3>Response ${status}</h3>${codeBlock(response, `Response of ${title}`)}` : ''}</div>
</article>`;
}

const CREDENTIAL_FIELDS = [
  ['bearer', 'Bearer token', 'svc_at_… svc_ct_… svc_dt_…', 'password'],
  ['device-id', 'Device id', 'dev_…', 'text'],
  ['device-token', 'Device token', 'svc_dt_…', 'password'],
  ['api-key', 'API key', 'svc_key_test_…', 'password'],
  ['csrf', 'CSRF token', 'of the merchant session', 'password'],
];

function credentials() {
  const fields = CREDENTIAL_FIELDS.map(
    ([id, label, hint, type]) =>
      `<label>${label}<input class="input" id="${id}" type="${type}" autocomplete="off" placeholder="${hint}"></label>`,
  );
  return `<details class="credentials"><summary>Credentials for trying calls</summary><p>Kept in this page only, and gone when it is closed. A merchant session travels as a cookie of this site; the CSRF token goes with it on every change.</p><div class="fields">${fields.join('')}</div></details>`;
}

/** One page for each group of calls. */
export function referencePages(openApi, sdk) {
  const calls = readCalls(openApi);
  return openApi.tags
    .filter(({ name }) => calls.some((call) => call.tag === name))
    .sort((left, right) => left.name.localeCompare(right.name, 'en'))
    .map(({ name, description }) => {
      const mine = calls.filter((call) => call.tag === name);
      const list = mine.map(
        (call) =>
          `<li><a href="#${call.operation.operationId}">${escapeHtml(call.title)}</a> <code>${call.method} ${escapeHtml(call.path)}</code></li>`,
      );
      return {
        kind: 'reference',
        title: name,
        url: `/docs/reference/${slug(name)}`,
        summary: description,
        calls: mine,
        html: `<h1>${escapeHtml(name)}</h1><p class="lead">${inline(description)} <a href="/docs/guides/authentication">Authentication</a></p><ul class="call-list">${list.join('')}</ul>${credentials()}${mine.map((call) => article(call, sdk)).join('\n')}`,
      };
    });
}

/** Every message that the service sends to webhook endpoints. */
export function webhookPage(openApi) {
  const families = Object.values(openApi.webhooks).map(({ post }) => {
    const schema = flatten(post.requestBody.content['application/json'].schema);
    const types = post.summary.replace(/^Sent for /, '').split(', ');
    const chips = types.map((type) => `<li><code>${escapeHtml(type)}</code></li>`);
    return `<article id="${post.operationId}" class="call"><div class="call-text"><h2>${escapeHtml(types[0].split('.')[0])}</h2><ul class="chips" aria-label="Types">${chips.join('')}</ul><p>${inline(post.description)}</p>${memberSection('Body', membersOf(schema))}</div><div class="call-side"><h3>Example</h3>${codeBlock(JSON.stringify(exampleOf(schema), null, 2), `Body of ${types[0]}`)}</div></article>`;
  });
  return {
    kind: 'reference',
    title: 'Webhook events',
    url: '/docs/reference/webhook-events',
    summary: 'Every event that the service sends to webhook endpoints, with its body.',
    html: `<h1>Webhook events</h1><p class="lead">What the service sends to your endpoints, signed as Standard Webhooks say. <a href="/docs/guides/webhooks">Receive and verify them</a></p>${families.join('\n')}`,
  };
}
