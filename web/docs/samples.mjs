import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { exampleId } from './schema.mjs';

/** Replaced in the page by the address that it was read from. */
export const ORIGIN = 'http://127.0.0.1:8787';

const HEADERS = {
  merchantSession: '-b "svc_session=$SESSION"',
  csrf: '-H "x-csrf-token: $CSRF_TOKEN"',
  apiKey: '-H "x-svc-api-key: $API_KEY"',
};

export function curlSample({ method, path: template, operation }, body) {
  const [credential = {}] = operation.security ?? [];
  const url = filledPath(template, operation);
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${ORIGIN}${url}`,
    ...Object.keys(credential).map((name) => HEADERS[name] ?? '-H "authorization: Bearer $TOKEN"'),
    ...(body
      ? [
          '-H "content-type: application/json"',
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
        ]
      : []),
  ].join(' \\\n  ');
}

function filledPath(template, operation) {
  const inPath = (operation.parameters ?? []).filter((one) => one.in === 'path');
  return inPath.reduce(
    (url, { name, description }) => url.replace(`{${name}}`, exampleId(description)),
    template,
  );
}

/** Commands equivalent to a call, for calls that have one. A test checks that each command exists. */
export const COMMANDS = {
  exchangeAgentAssertion: 'agent token --profile agent',
  claimConnectKey: 'connect --profile agent --connect-key -',
  createConnectKey: 'wallet connect-key --profile wallet',
  createPaymentRequest:
    'request create --profile agent --recipient rcp_01JC8Z6S410000000000000000 --amount 12.50',
  previewPaymentRequest:
    'request preview --profile agent --recipient rcp_01JC8Z6S410000000000000000 --amount 12.50',
  listPaymentRequests: 'request list --profile agent --status pending',
  getPaymentRequest: 'request get order-1001 --profile agent',
  listPaymentRequestEvents: 'request watch order-1001 --profile agent --timeout 60s',
  withdrawPaymentRequest: 'request withdraw order-1001 --profile agent',
  getPaymentRequestEvidence: 'request evidence order-1001 --profile agent',
  listPayees: 'payees list --profile agent',
  registerDomain: 'merchant domain add shop.example --profile merchant',
  verifyDomain: 'merchant domain verify shop.example --profile merchant',
  listDomains: 'merchant domain list --profile merchant',
  createRecipient: 'merchant payee add "Example Shop" --address G… --profile merchant',
  listRecipients: 'merchant payee list --profile merchant',
  createAgent: 'merchant agent add "Shopping agent" --kid main --key-file agent.key --profile merchant',
  listAgents: 'merchant agent list --profile merchant',
  registerAgentCredential: 'merchant key add --kid second --key-file agent.key --profile merchant',
  createWebhookEndpoint: 'merchant webhook add https://shop.example/webhooks --profile merchant',
  verifyWebhookEndpoint: 'merchant webhook verify whe_01JC8Z6S410000000000000000 --profile merchant',
  listWebhookEndpoints: 'merchant webhook list --profile merchant',
  listOperators: 'operators list --profile merchant',
  listApprovals: 'approvals list --profile merchant',
  listMerchantSessions: 'sessions list --profile merchant',
};

export function commandSample({ operation }) {
  const command = COMMANDS[operation.operationId];
  return command && `payassent ${command}`;
}

const ROOTS = {
  ConnectionClient: 'connection',
  AgentClient: 'agent',
  WalletClient: 'wallet',
  MerchantClient: 'merchant',
  AgentPaymentsClient: 'project',
};

/** Where the SDK has each operation: read from its classes, so that the samples follow it. */
export function readSdk(folder, operationIds) {
  const sources = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
  const named = (code, names) => names.find((name) => new RegExp(`\\b${name}\\b`).test(code));
  const operationOf = (code) => named(code, operationIds);
  const classes = new Map(
    sources
      .flatMap((text) => [...text.matchAll(/^export class (\w+)(?: extends (\w+))?[^{]*\{\n([\s\S]*?)^\}/gm)])
      .map(([, name, parent, body]) => [name, { parent, ...readClass(body, operationOf) }]),
  );
  const calls = new Map();
  const walk = (name, place) => {
    const { parent, fields, methods } = classes.get(name) ?? { fields: [], methods: [] };
    // Generated operations are a separate class, which the part extends.
    if (parent) walk(parent, place);
    for (const method of methods)
      if (!calls.has(method.operation))
        calls.set(method.operation, { call: `${place}.${method.name}`, parameters: method.parameters });
    for (const [field, type] of fields) walk(type, `${place}.${field}`);
  };
  for (const [root, name] of Object.entries(ROOTS)) walk(root, name);
  return calls;
}

function readClass(body, operationOf) {
  const fields = [...body.matchAll(/^ {2}readonly (\w+): (\w+);/gm)].map(([, name, type]) => [name, type]);
  const methods = [
    ...body.matchAll(/^ {2}(?:async )?(\w+)\(([^()]*)\): Promise<[^;]*? \{\n([\s\S]*?)^ {2}\}/gm),
  ];
  return {
    fields,
    methods: methods.flatMap(([, name, parameters, code]) => {
      const operation = operationOf(code);
      return operation ? [{ name, operation, parameters: readParameters(parameters) }] : [];
    }),
  };
}

/** Those that a call cannot leave out. */
function readParameters(text) {
  return [...text.matchAll(/(\w+)(\?)?: ([^,=]+?)(\s*=\s*[^,]+)?(?:,|$)/g)]
    .filter(([, , optional, , preset]) => !optional && !preset)
    .map(([, name, , type]) => ({ name, isText: type.trim() === 'string' }));
}

export function typescriptSample(found, { operation }, body) {
  if (!found) return undefined;
  const ids = (operation.parameters ?? []).filter((one) => one.in === 'path');
  const texts = ids.map(({ description }) => `'${exampleId(description)}'`);
  const values = found.parameters.map(({ name, isText }) =>
    isText ? (texts.shift() ?? `'${name}'`) : body ? literal(body) : '{}',
  );
  return `const answer = await ${found.call}(${values.join(', ')});`;
}

/** As one writes it in a program: names without quotes. */
function literal(value) {
  return JSON.stringify(value, null, 2)
    .replace(/^(\s*)"(\w+)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\[^"])*)"/g, "'$1'");
}
