/*
 * A card that an MCP host may show next to the result of a tool (MCP Apps). It shows and does nothing: no button, no
 * link, no network, and no message to the host except the handshake. Of the payee it shows the domain, which was
 * proved; names are chosen by their owners.
 */

export const CARD_EXTENSION = 'io.modelcontextprotocol/ui';
export const CARD_URI = 'ui://payassent/payment';

const SCRIPT = `
const rows = { Amount: (c) => [c.payment?.amount, c.payment?.asset].filter(Boolean).join(' '), Payee: (c) => c.payee && (c.payee.verified ? c.payee.domain : 'not verified'), Network: (c) => c.payment?.network, Outcome: (c) => c.outcome?.replaceAll('_', ' '), Request: (c) => c.request_id };
const show = (content) => {
  const list = document.querySelector('dl');
  list.replaceChildren();
  for (const [name, read] of Object.entries(rows)) {
    const value = read(content);
    if (!value) continue;
    list.append(Object.assign(document.createElement('dt'), { textContent: name }), Object.assign(document.createElement('dd'), { textContent: String(value) }));
  }
};
addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return;
  if (data.id === 1 && data.result) parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} }, '*');
  if (data.method === 'ui/notifications/tool-result') show(data.params?.structuredContent ?? {});
});
parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: { appInfo: { name: 'PayAssent', version: '1' }, appCapabilities: {}, protocolVersion: '2026-01-26' } }, '*');
`;

export const CARD = {
  name: 'Payment',
  mimeType: 'text/html;profile=mcp-app',
  html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Payment</title><style>
:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:1rem}dt{opacity:.7}dd{margin:0;overflow-wrap:anywhere}
</style><dl></dl><script>${SCRIPT}</script></html>`,
} as const;
