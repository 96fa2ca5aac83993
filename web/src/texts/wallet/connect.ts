import type { Scope } from '@payassent/sdk';
import { translated } from '../language.ts';

/** Connect Keys, pairing, invitations and connections. */
export const connect = translated('connect', {
  title: 'Connect an agent',
  intro: 'There are two ways. In both, nothing is connected before you have seen the agent and approved it.',
  key: {
    title: 'Give the agent a Connect Key',
    text: 'The agent uses the key to request a connection. The key is no approval: you will see who used it and decide then.',
    action: 'Make a Connect Key',
    another: 'Make another one',
    name: 'Connect Key',
    qr: 'Connect Key as a QR code',
    once: 'Works once. Hand it only to the agent that you want to connect.',
    left: (time: string) => `Expires in ${time}`,
    expired: 'This key has expired and is worth nothing now.',
    waiting: 'Waiting for an agent to use the key …',
    used: 'An agent has used the key and requests a connection.',
    review: 'Review the request',
    withdraw: 'Withdraw',
    withdrawn: 'The key was withdrawn.',
  },
  pair: {
    title: 'Enter the agent’s pairing code',
    text: 'The agent shows a code of eight letters, a link, or a QR code.',
    label: 'Code or pairing link',
    placeholder: 'BCDF-GHJK',
    action: 'Find the agent',
    unreadable: 'This is neither a pairing code (eight letters such as BCDF-GHJK) nor a pairing link.',
    foreign: (origin: string) =>
      `This link belongs to another service (${origin}), not to this one. Open the wallet there.`,
    unknown:
      'No agent is waiting with this code. Compare it with the agent’s screen; codes live ten minutes.',
  },
  scanner: {
    title: 'Scan a QR code',
    hint: 'Hold the code into the picture. Nothing is recorded or sent.',
    video: 'Picture of the camera',
    starting: 'Starting the camera …',
    none: 'No camera can be used here.',
    whyNone:
      'The browser has no camera, or does not allow this page to use it. Allow the camera in the browser’s settings for this page, or type the code, or paste the link below the QR code.',
    wrong: 'That is a QR code, but not one for this place.',
  },
});

export const invitations = translated('invitations', {
  title: 'Connection request',
  former: 'Decided',
  emptyTitle: 'No agent requests a connection',
  empty:
    'When an agent uses your Connect Key, it appears here, and you decide whether it may request payments from you.',
  emptyAction: 'Connect an agent',
  agent: 'Agent',
  runtime: 'Runs on',
  merchant: 'Works for',
  domain: 'Verified domain',
  unverified: 'not verified',
  unverifiedExplains:
    'This agent has no verified domain. Connect only if you know for certain who gave you the code.',
  namesExplain: 'The merchant chose these names. Only the domain was proved.',
  wants: 'asks to connect',
  rights: (chosen: number, all: number) => `What it may do (${chosen} of ${all})`,
  asks: 'It asks to',
  expires: 'Decide before',
  choose: 'You may untick what it need not do.',
  means: [
    'It can ask you for payments. You decide on each one, unless you later accept a policy that pays without asking you.',
    'It never sees a key of yours, and you can end the connection at any time.',
  ],
  more: (count: number) =>
    count === 1 ? 'Another agent asks after this one.' : `${count} more agents ask after this one.`,
  next: (count: number) => (count === 1 ? 'Review the next request' : `Review the next of ${count} requests`),
  approve: 'Approve connection',
  reject: 'Reject',
  needsOne: 'Tick at least one, or reject.',
  approved: 'Approved. The agent can fetch its credential now.',
  rejected: 'Rejected. The agent gets nothing.',
  toAgents: 'See your agents',
  takeBack: {
    action: 'Take back',
    title: 'Take back the approval?',
    text: 'The agent has not fetched its credential yet. If you take the approval back, it gets nothing and has to request a connection again.',
    confirm: 'Take back',
  },
});

export const scopeTexts = translated<Record<Scope, { does: string; means: string }>>('scopeTexts', {
  'payment.requests.create': {
    does: 'Request payments from you',
    means: 'It can put requests into your inbox, to payees of its merchant. You decide on each.',
  },
  'payment.requests.read': {
    does: 'See the outcome of its requests',
    means: 'It sees whether you approved, rejected or paid its requests, and nothing about other agents.',
  },
  'transaction_contexts.create': {
    does: 'Describe what a payment is for',
    means:
      'Its words are shown with a request, marked as unverified. They can never change payee, address or amount.',
  },
  'transaction_contexts.read': {
    does: 'Read its own descriptions again',
    means: 'Only what it wrote itself.',
  },
});

export const invitationStatusTexts = translated('invitationStatusTexts', {
  pending_approval: 'waiting for you',
  approved: 'approved',
  exchanged: 'connected',
  rejected: 'rejected',
  expired: 'expired',
});

export const connections = translated('connections', {
  title: 'Agents',
  emptyTitle: 'No agent is connected',
  empty:
    'Connect one with a Connect Key or a pairing code. It can then request payments; it can never take any.',
  emptyAction: 'Connect an agent',
  may: 'It may',
  since: 'Connected',
  status: { active: 'active', paused: 'paused', revoked: 'revoked' },
  former: 'Revoked',
  renamed: {
    agent: 'This agent was renamed. You know it as:',
    merchant: 'The organization behind this agent was renamed. You know it as:',
    now: 'Now it calls itself:',
    seen: 'I have seen the new name',
  },
  whoAsked: 'Earlier connection requests',
  pause: 'Pause',
  resume: 'Resume',
  pausedExplains: 'While paused it can make no new requests. Earlier ones can still be decided.',
  rotate: {
    action: 'Renew credential',
    title: 'Renew the agent’s credential?',
    text: 'The credential that the agent holds stops working immediately. The agent itself collects the new one; anyone who copied the old one is locked out.',
    confirm: 'Renew',
    done: 'Renewed. The agent collects its new credential automatically.',
  },
  revoke: {
    action: 'Revoke',
    title: 'Revoke this connection?',
    consequences: [
      'The agent loses access immediately and for good. To return it has to be connected again.',
      'Pending requests are rejected.',
      'Automation policies of this agent are stopped.',
      'Payments that you have already approved continue and can be reported to their end.',
    ],
    confirm: 'Revoke for good',
  },
});
