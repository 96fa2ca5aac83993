import { translated } from './language.ts';

/** Texts that portal and wallet share. */
export const common = translated('common', {
  product: 'PayAssent',
  cancel: 'Cancel',
  close: 'Close',
  loading: 'Loading …',
  /** In the place of a name that claims what only the page may say. */
  nameNotShown: '(name not shown)',
  tryAgain: 'Try again',
  copy: {
    action: 'Copy',
    label: (name: string) => `Copy ${name}`,
    copied: 'Copied.',
    refused: 'Copying is not allowed here: select the text and copy it.',
    shownOnce: (name: string) => `${name}: shown only now. Keep it in a safe place before you go on.`,
  },
  theme: { dark: 'Dark', light: 'Light' },
  errors: {
    fixFields: 'Nothing was saved. Fix the marked fields and try again.',
    /** Of the names of merchants, agents and payees. */
    reference: 'Reference for the operator:',
    tryAgain: 'Try again in a moment.',
    secondOwner: 'Nothing has changed yet: a second owner has to approve it.',
    secondOwnerNext: 'All owners got a mail. It waits for 24 hours under Approvals.',
    changePending: 'Nothing has changed yet: the change takes effect after 24 hours.',
    changePendingNext:
      'No key of your wallet has signed it. Every device of your wallet is notified and can cancel it under Devices.',
    payeeChange: {
      title: 'Nothing has changed: this would let payments go to another place.',
      lead: 'Anyone who reads your mailbox could do that, so one of these is needed besides. The passkey and the second owner count only when you have been an owner for a day:',
      ways: {
        passkey:
          'A passkey that has been effective for a day. Register one under Your sign-in; a day after it is effective, sign in with it and activate this version.',
        dns_binding:
          'A record in DNS. Publish the payee record that this page shows in the DNS of your domain, which must have been verified for a day. Then verify this version again and activate it.',
        second_owner:
          'A second owner. Invite one under Team. A day after their first sign-in, activate this version: it then waits for their approval.',
      },
    },
    unreachable: 'The service cannot be reached.',
    offline: 'You are offline. What you see may be old; it is read again when you are back.',
    checkConnection: 'Check your connection and try again. Nothing is lost.',
    unexpected: 'This page met something unexpected.',
    reload: 'Reload the page. If it happens again, tell the operator what you did.',
    reloadNow: 'Reload',
    brokenTitle: 'Something went wrong',
    outdated: 'This could not be read again: what you see may be old.',
    /** What happened, where the service's own sentence is meant for programs. */
    happened: {
      resource_not_found: 'This is not here.',
      link_invalid: 'This link or code does not work any more.',
      unauthenticated: 'You are signed out.',
    },
    /** What to do next, in place of the advice for programs that the catalogue of errors gives. */
    byCode: {
      unavailable: 'Wait a moment and try again. Nothing is lost, and nothing is done twice.',
      rate_limited: 'Too much was asked for in a short time. Wait a minute and try again.',
      internal_error: 'Try again. If it happens again, tell the operator the reference below.',
      csrf_invalid:
        'You may have signed in or out in another window. Look whose page this is now, then try again.',
      insufficient_role: 'Ask an owner of your organization to do it, or to change your role.',
      step_up_required:
        'Use your passkey when the browser asks for it. If you signed in with a mailed link, sign out and sign in with the passkey.',
      second_person_required: 'Ask another owner to decide about it.',
      last_owner: 'Make another active operator an owner first.',
      passkey_invalid: 'Try again with a passkey that you registered here.',
      unauthenticated: 'Sign in again, then repeat what you did.',
      token_expired: 'Sign in again, then repeat what you did.',
      token_rotated: 'Reload the page: another window of this browser has the newer access.',
      token_revoked: 'This access was ended and does not come back. Sign in, or connect, again.',
      version_conflict:
        'Somebody else changed this meanwhile. Reload the page, look at what is there, and repeat the change if you still want it.',
      invalid_status_transition: 'It has moved on meanwhile. Reload the page to see where it stands.',
      status_conflict:
        'Another device has reported something else. Do not pay; reload the page and follow what it shows.',
      limit_reached: 'Remove what you no longer need, then try again.',
      resource_not_found: 'It may have been removed, or belong to someone else. Go back to the list.',
      network_not_enabled: 'Choose another network, or ask the operator of this service to enable this one.',
      validation_failed: 'Fix what is named above and try again.',
      risk_rejected: 'Remove invisible characters and addresses of others from the text, then try again.',
      payment_request_expired: 'Do not pay. If the payment is still wanted, let the agent ask again.',
      invitation_closed: 'It was decided or withdrawn already. To connect, make a new Connect Key.',
      pairing_closed: 'Let the agent show a new code, and enter that one.',
      connect_key_used: 'Make a new Connect Key.',
      connect_key_expired: 'Make a new Connect Key.',
      connection_revoked: 'The connection is over. Connect the agent again.',
      kid_conflict: 'Choose a name that no key of this agent ever had.',
      evidence_mismatch: 'Verify this version again, then activate it.',
      decision_signature_required: 'Open Devices and confirm this device on another one, then decide again.',
      decision_signature_invalid:
        'Check the date and time of this device, reload the page, and decide again.',
      policy_incomplete: 'Fill in all four limits, then opt in again.',
    },
  },
});
