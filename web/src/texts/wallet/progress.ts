import { translated } from '../language.ts';

/** After the decision: how a payment continues. */
export const progress = translated('progress', {
  title: 'Status',
  steps: { pending: 'Requested', signed: 'Approved', broadcasted: 'Sent', confirmed: 'Confirmed' },
  label: 'Steps of this payment',
  next: 'What next',
  receipt: 'Receipt',
  done: 'Done',
  working: 'Signing, reporting and sending …',
  elsewhere: {
    title: 'Pay with your own wallet app',
    text: 'Scan the code or copy the link into an app that holds your key. Compare what it shows with the details above before you confirm there.',
    qr: 'Payment link as a QR code',
    link: 'payment link',
    open: 'Open in a wallet app',
    standard: (name: string) => `Form of the link: ${name}.`,
    noUri:
      'There is no payment link for this network that carries every detail. Enter address, amount and memo by hand, exactly as above.',
    altered:
      'The payment link from the service does not match what you approved, so it is not shown. Enter address, amount and memo by hand, exactly as above, and tell the host of this service.',
    address: 'Address',
    amount: 'Amount',
    memo: 'Memo',
    hashMemo: 'Memo (hash)',
    needsMemo: 'Do not leave out the memo: without it the payee cannot match the payment.',
  },
  hash: {
    label: 'Transaction hash',
    hint: 'The app shows it after sending. It is public, and once reported it never changes.',
    action: 'Report as sent',
    invalid: 'A transaction hash has 1 to 256 letters, digits and signs, without spaces.',
    invalidStellar: 'A Stellar transaction hash has 64 hexadecimal digits.',
  },
  notPaid: {
    action: 'I did not pay',
    title: 'Report that nothing was paid?',
    text: 'The request is closed as failed. Only do this when nothing was sent: a payment that is under way cannot be called back from here.',
    confirm: 'Report as failed',
  },
  sent: {
    text: 'The transaction was sent. Report it as paid when the network shows it as final.',
    confirm: 'Report as paid',
    failed: {
      action: 'The network refused it',
      title: 'Report that the network refused it?',
      text: 'Only when the network shows the transaction as failed. This cannot be changed later.',
      confirm: 'Report as failed',
    },
  },
  interrupted: {
    title: 'You approved this on this device, and it was interrupted',
    text: 'Nothing is signed a second time: the signed payment continues where it stopped.',
    action: 'Continue',
  },
  unreachable: {
    title: 'Signed, but not sent',
    text: 'The network could not be reached, so the outcome is not known yet. The signed transaction is kept in this browser and can be sent later; it is never signed a second time.',
    action: 'Try to send again',
  },
  refused: {
    title: 'Signed, but refused for now',
    text: 'The network did not take the transaction. It may do so later: what was signed is kept in this browser, and nothing is signed a second time.',
    action: 'Try to send again',
  },
  reading: 'Reading what this device knows about it …',
  otherDevice: {
    title: 'Signed on another device',
    text: 'Another device of this wallet approved this payment and carries it on. Do not pay it again here.',
    action: 'Take over on this device',
    question: 'Take this payment over?',
    warning:
      'Only when the other device is lost or cannot report any more. It may have sent the payment already, or may still send it. From then on this device reports the outcome, and the other one cannot.',
    confirm: 'Take over',
    taken:
      'This device now reports for the one that signed. Check the payment on the network before you report: nothing is paid from here.',
  },
  final: {
    paid: 'Paid and confirmed.',
    reported: 'You reported it as paid. No one has checked this on the chain.',
    contradicted: 'It was reported as paid, but the chain shows something else. Look at the transaction.',
    failed: 'This payment failed. Nothing more happens with this request.',
    rejected: 'Rejected. Nothing was paid.',
    expired: 'It expired before it was decided. Nothing was paid.',
    cancelled: 'The agent or the merchant withdrew it. Nothing was paid.',
  },
  /** In place of `final.reported` where an observer has checked. */
  notFinal: 'You reported it as paid. The chain does not show it as final.',
  txHash: 'Transaction',
  reason: 'Reason',
  ownWords: 'In words',
  reasons: { not_paid: 'I did not pay', network_refused: 'The network refused it' },
});
