export const byId = (id) => document.getElementById(id);

const SESSION_OVER = new Set(['unauthenticated', 'token_expired', 'token_revoked']);
const SECTIONS = ['confirm', 'request', 'sent', 'choose', 'found', 'inside', 'out'];

/** Shows one section and takes the reader's focus there; what was said about the former one is gone. */
export function show(name) {
  for (const section of SECTIONS) byId(section).hidden = section !== name;
  say('');
  complain('');
  byId(name).querySelector('h1').focus();
}

export function say(text) {
  byId('status').textContent = text;
}

export function complain(text) {
  const problem = byId('problem');
  problem.textContent = text;
  problem.hidden = text === '';
}

/** Runs one action; its controls rest meanwhile, so that nothing is sent twice. */
export async function during(controls, message, action) {
  complain('');
  say(message);
  for (const control of controls) control.disabled = true;
  try {
    await action();
  } catch (error) {
    if (SESSION_OVER.has(error.code)) show('request');
    complain(error.message);
  } finally {
    for (const control of controls) control.disabled = false;
    if (byId('status').textContent === message) say('');
  }
}

export function element(tag, ...children) {
  const node = document.createElement(tag);
  node.append(...children);
  return node;
}
