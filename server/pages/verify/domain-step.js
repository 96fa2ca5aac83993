import { call } from './api.js';
import { byId, during, element, say } from './view.js';

let registered;

export function prepareDomainStep(onVerified) {
  const form = byId('domain-form');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    during(form.querySelectorAll('button'), 'Registering the domain …', register);
  });
  byId('verify-button').addEventListener('click', () => {
    during([byId('verify-button')], 'Looking the challenge up …', async () => {
      const { domain_id } = registered.domain;
      const { merchant } = await call('POST', `/v1/merchant-domains/${domain_id}/verify`, {});
      onVerified(merchant);
    });
  });
  byId('other-domain-button').addEventListener('click', () => {
    byId('challenge').hidden = true;
    form.hidden = false;
    byId('domain').focus();
  });
}

async function register() {
  const form = byId('domain-form');
  const { domain, method } = Object.fromEntries(new FormData(form));
  registered = await call('POST', '/v1/merchant-domains', { domain: domain.trim(), method });
  byId('challenge-facts').replaceChildren(...facts(registered.challenge));
  form.hidden = true;
  byId('challenge').hidden = false;
  byId('challenge').querySelector('h2').focus();
}

function facts({ method, dns, https }) {
  const rows =
    method === 'dns'
      ? [
          ['Type', dns.type],
          ['Name', dns.name],
          ['Value', dns.value],
        ]
      : [
          ['Address', https.url],
          ['Content', https.body],
        ];
  return rows.flatMap(([name, value]) => [
    element('dt', name),
    element('dd', element('code', value), copyButton(name, value)),
  ]);
}

function copyButton(name, value) {
  const button = element('button', 'Copy');
  button.type = 'button';
  button.className = 'plain';
  button.setAttribute('aria-label', `Copy ${name}`);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(value);
      say(`${name} copied.`);
    } catch {
      say('Copying is not allowed here: select the text and copy it.');
    }
  });
  return button;
}
