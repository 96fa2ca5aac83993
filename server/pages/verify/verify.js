import { call, keepCsrfToken } from './api.js';
import { prepareDomainStep } from './domain-step.js';
import { byId, complain, during, element, say, show } from './view.js';

// One-time secrets of this visit. They are never written anywhere: a reload forgets them.
let linkToken;
let sessionGrant;
let choices = [];

/** Takes the token out of the address at once, so that neither history nor a shared address carries it. */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  return token ?? undefined;
}

function begin() {
  const token = takeToken();
  if (token === undefined) return false;
  linkToken = token;
  show('confirm');
  return true;
}

async function confirm() {
  try {
    const answer = await call('POST', '/v1/merchant-accounts/email-verifications', { token: linkToken });
    linkToken = undefined;
    sessionGrant = answer.session_grant;
    choices = answer.merchants;
    showChoices();
  } catch (error) {
    if (error.code === 'link_invalid') {
      askForNewLink('This link has been used already, or it is older than 15 minutes. Ask for a new one.');
      return;
    }
    throw error;
  }
}

function askForNewLink(reason) {
  show('request');
  complain(reason);
}

function showChoices() {
  if (choices.length === 0) {
    show('found');
    return;
  }
  byId('choices').replaceChildren(...choices.map(choiceItem));
  byId('back-to-choices-button').hidden = false;
  show('choose');
}

function choiceItem({ choice_id, name, status }) {
  const note = status === 'active' ? 'active' : 'setup not finished';
  const button = element('button', element('span', name), element('span', note));
  button.type = 'button';
  button.addEventListener('click', () => {
    during(document.querySelectorAll('#choose button'), 'Signing in …', () =>
      enter({ session_grant: sessionGrant, choice_id }),
    );
  });
  return element('li', button);
}

async function found() {
  const name = byId('name').value.trim();
  const answer = await orNewLink(call('POST', '/v1/merchants', { session_grant: sessionGrant, name }));
  if (answer) await enter({ next_grant: answer.next_grant });
}

async function enter(grant) {
  const answer = await orNewLink(call('POST', '/v1/merchant-sessions', grant));
  if (!answer) return;
  sessionGrant = undefined;
  keepCsrfToken(answer.csrf_token);
  showInside(answer.merchant);
}

/** A grant that is spent or over cannot be mended here, only replaced. */
async function orNewLink(pending) {
  try {
    return await pending;
  } catch (error) {
    if (error.code !== 'grant_invalid') throw error;
    askForNewLink('Your confirmation is older than ten minutes or was used already. Ask for a new link.');
    return undefined;
  }
}

function showInside(merchant) {
  byId('merchant-name').textContent = merchant.name;
  byId('pending').hidden = merchant.status !== 'pending';
  byId('active').hidden = merchant.status !== 'active';
  show('inside');
}

async function signOut() {
  await call('DELETE', '/v1/merchant-sessions/current');
  keepCsrfToken(undefined);
  show('out');
}

/** Somebody who is signed in already and comes without a link sees where they are. */
async function resume() {
  try {
    const { merchant, csrf_token } = await call('GET', '/v1/merchant-sessions/current');
    keepCsrfToken(csrf_token);
    showInside(merchant);
  } catch {
    show('request');
  }
}

function onSubmit(form, message, action) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    during(form.querySelectorAll('button'), message, action);
  });
}

function onClick(id, action) {
  byId(id).addEventListener('click', action);
}

onClick('confirm-button', () => during([byId('confirm-button')], 'Confirming …', confirm));
onSubmit(byId('request-form'), 'Sending …', async () => {
  const email = byId('email').value.trim();
  await call('POST', '/v1/merchant-accounts/registrations', { email });
  byId('sent-email').textContent = email;
  show('sent');
});
onSubmit(byId('found-form'), 'Creating the organization …', found);
onClick('again-button', () => show('request'));
onClick('back-in-button', () => show('request'));
onClick('found-another-button', () => show('found'));
onClick('back-to-choices-button', () => show('choose'));
onClick('sign-out-button', () => during([byId('sign-out-button')], 'Signing out …', signOut));
prepareDomainStep((merchant) => {
  showInside(merchant);
  say('The domain is proved.');
});
// A second link opened in the same tab changes only the part behind the #.
addEventListener('hashchange', begin);
if (!begin()) resume();
