import { translated } from './language.ts';

/** Texts that portal and wallet share. */
export const common = translated('common', {
  product: 'PayAssent',
  cancel: 'Cancel',
  close: 'Close',
  loading: 'Loading …',
  /** Replaces a name that imitates a statement of the page. */
  nameNotShown: '(name not shown)',
  tryAgain: 'Try again',
  copy: {
    action: 'Copy',
    label: (name: string) => `Copy ${name}`,
    copied: 'Copied.',
    refused: 'Copying is not allowed here: select the text and copy it.',
    shownOnce: (name: string) => `${name}: shown only now. Keep it in a safe place before you continue.`,
  },
  theme: { dark: 'Dark', light: 'Light' },
  errors: {
    fixFields: 'Nothing was saved. Fix the marked fields and try again.',
    /** Of the names of merchants, agents and payees. */
    reference: 'Reference for the host:',
    tryAgain: 'Try again in a moment.',
    secondOwner: 'Nothing has changed yet: a second owner has to approve it.',
    secondOwnerNext: 'All owners got a mail. It waits for 24 hours under Approvals.',
    changePending: 'Nothing has changed yet: the change takes effect after 24 hours.',
    changePendingNext:
      'No key of your wallet has signed it. Every device of your wallet is notified and can cancel it under Devices.',
    payeeChange: {
      title: 'Nothing has changed: this would let payments go to another place.',
      lead: 'Anyone who reads your mailbox could do that, so one of these is needed too. The passkey and the second owner count only when you have been an owner for a day:',
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
    unexpected: 'An unexpected error happened on this page.',
    reload: 'Reload the page. If it happens again, tell the host of this service what you did.',
    reloadNow: 'Reload',
    brokenTitle: 'Something went wrong',
    outdated: 'This could not be read again: what you see may be old.',
    /** What happened, for errors whose message from the service is meant for programs. */
    happened: {
      resource_not_found: 'We couldn’t find this. It may have been deleted.',
      link_invalid: 'This link or code does not work any more.',
      unauthenticated: 'You are signed out.',
    },
    /** What to do next, in place of the catalogue's advice, which is meant for programs. */
    byCode: {
      unavailable: 'Wait a moment and try again. Nothing is lost, and nothing is done twice.',
      rate_limited: 'Too many requests in a short time. Wait a minute and try again.',
      internal_error: 'Try again. If it happens again, send the reference below to the host of this service.',
      csrf_invalid:
        'You may have signed in or out in another window. Check who is signed in now, then try again.',
      insufficient_role: 'An owner of your organization can do it, or change your role.',
      step_up_required:
        'Use your passkey when the browser asks for it. If you signed in with a mailed link, sign out and sign in with the passkey.',
      second_person_required: 'Another owner has to approve it, under Approvals.',
      last_owner: 'Make another active team member an owner first.',
      passkey_invalid: 'Try again with a passkey that you registered here.',
      unauthenticated: 'Sign in again, then repeat what you did.',
      token_expired: 'Sign in again, then repeat what you did.',
      token_rotated: 'Reload the page: another window of this browser has the newer access.',
      token_revoked: 'This access was ended and does not come back. Sign in, or connect, again.',
      version_conflict:
        'Another person changed this meanwhile. Reload the page, check what it shows now, and repeat the change if you still want it.',
      invalid_status_transition: 'Its status has changed meanwhile. Reload the page to see it.',
      status_conflict:
        'Another device already acted on this payment. Do not pay; reload the page and follow what it shows.',
      limit_reached: 'Remove what you no longer need, then try again.',
      resource_not_found: 'Go back to the list and open it from there.',
      network_not_enabled: 'Choose another network, or ask the host of this service to enable this one.',
      validation_failed: 'Fix what is named above and try again.',
      risk_rejected: 'Remove invisible characters and addresses of others from the text, then try again.',
      payment_request_expired: 'Do not pay. If you still want the payment, let the agent request it again.',
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
