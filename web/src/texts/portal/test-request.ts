import { translated } from '../language.ts';

/** A request that a team member sends to their own wallet. */
export const testRequestTexts = translated('testRequestTexts', {
  title: 'Send yourself a test request',
  lead: 'You play the customer: connect a wallet of this service, receive a payment request on a test network, and see each step here. No real money moves.',
  back: 'Overview',
  /** The wallet shows these two. */
  agentName: 'Test from the portal',
  purpose: 'A test request from the portal',
  noPayee: {
    title: 'No active payee on a test network',
    text: 'A test needs a payee on a test network. Create one there, verify it and activate it.',
    action: 'Create a payee',
  },
  start: {
    title: 'The payment',
    lead: 'This page acts as an agent for one request. Its key is made here, is kept in this page only, and is revoked as soon as the request is made.',
    amount: 'Amount',
    action: 'Start the test',
  },
  pairing: {
    title: 'Connect a wallet',
    lead: 'Open the wallet. If this browser has none yet, it is created there. Then approve the connection to “Test from the portal”, and come back to this page.',
    action: 'Open the wallet',
    phone: 'Or scan this with a phone:',
    qr: 'Address of the wallet with the pairing code, as a QR code',
    code: 'Pairing code',
    waiting: 'Waiting for the wallet to approve the connection …',
    closed:
      'The wallet rejected the connection, or ten minutes passed. Nothing was requested. You can start again.',
  },
  asked: {
    title: 'The test request',
    now: {
      pending: 'It is in the wallet now. Approve or reject it there.',
      signed: 'Approved and signed. The payment is not sent yet.',
      broadcasted: 'Sent to the network. It is not confirmed yet.',
      confirmed: 'The wallet reports it as paid. Everything works.',
      rejected: 'Rejected in the wallet. An agent learns this immediately.',
      failed: 'The payment failed on the network.',
      expired: 'No decision was made in time.',
    } as Readonly<Record<string, string>>,
    again: 'Test again',
    details: 'All about this request',
  },
});
