import { translated } from '../language.ts';

/** Frame of the wallet, enrolment and devices. */
export const shell = translated('shell', {
  product: 'Wallet',
  skip: 'Skip to the content',
  nav: {
    label: 'Wallet',
    inbox: 'Inbox',
    activity: 'Activity',
    connect: 'Connect',
    agents: 'Agents',
    policies: 'Policies',
    security: 'Security',
    notifications: 'Notifications',
    devices: 'Devices',
    testKey: 'Test key',
    more: 'More',
    rest: 'More pages',
  },
  install: {
    title: 'Install the wallet',
    text: 'It gets an icon and opens in a separate window. Nothing else changes.',
    byHand: 'In Safari: open the Share menu, then choose “Add to Home Screen”.',
    action: 'Install',
    dismiss: 'Not now',
  },
  waiting: (count: number) => `${count} waiting`,
  cut: (count: number) => `Only the newest ${count} are read here. There may be older ones.`,
  notFound: {
    title: 'There is no such page',
    text: 'The address may be mistyped or old.',
    action: 'To the inbox',
  },
  gone: {
    title: 'This device was removed',
    text: 'Another device of the wallet removed this one, or its credential was replaced. You can no longer decide here. Starting again deletes what was signed here but not sent. Join again with a link code from another device, or with your recovery code.',
    action: 'Start again on this device',
  },
  insecure: {
    title: 'The wallet needs a secure address',
    text: 'A browser keeps secrets only for pages that it reached over https, or on this machine (localhost). Ask the host of this service for its https address and open the wallet there.',
  },
  storage: {
    title: 'This browser keeps nothing for the wallet',
    text: 'The wallet needs the storage of the browser (IndexedDB) for its credential. Leave private browsing or allow storage for this page, then reload.',
  },
});

export const security = translated('security', {
  title: 'Security',
  intro: 'Who can decide with this wallet, and how you get back in.',
});

export const notifications = translated('notifications', { title: 'Notifications' });

export const enrol = translated('enrol', {
  title: 'Your wallet',
  waiting: {
    title: 'A payment request waits',
    text: 'It can be opened only in the wallet that it was sent to, and this browser has none. Open the link in the browser that has your wallet, or add this browser to your wallet: with a link code from another device, or with your recovery code. A new wallet does not show this request.',
  },
  intro:
    'Agents request payments, you decide here. This wallet holds no money and no mainnet key: it shows each request exactly as it was pinned, and reports your decision.',
  choices: {
    label: 'How to start',
    ways: { new: 'New wallet', link: 'Join by link code', recovery: 'Recover' },
  },
  deviceName: { label: 'Name of this device', hint: 'So that you know it in the list of your devices.' },
  defaultDeviceName: 'My browser',
  create: 'Create wallet',
  join: 'Join this wallet',
  recover: 'Recover the wallet',
  linkCode: {
    label: 'Link code',
    hint: 'On a device that is already in the wallet: Devices, then “Link another device”. The code works once, for ten minutes.',
    typo: 'This is not a link code. It has 56 characters and starts with svc_lc_. Capital and small letters matter.',
    refused: {
      title: 'This link code does not work.',
      next: 'It was used already, or is older than ten minutes. Make a new one on the other device.',
    },
  },
  recoveryCode: {
    label: 'Recovery code',
    hint: 'The code that was shown when the wallet was created. It works once and is then replaced by a new one.',
    typo: 'Check for typos: a recovery code has 56 characters and starts with svc_rc_. Capital and small letters matter; spaces do not.',
    refused: {
      title: 'This recovery code does not work.',
      next: 'It was used before, or a newer code replaced it. Use the newest one, or join by a link code from a device that is still in the wallet.',
    },
  },
  newExplains:
    'A new wallet begins with this device. You receive a recovery code, shown once, for the day when every device is lost.',
  kept: {
    title: 'Keep your recovery code',
    name: 'Recovery code',
    why: 'It brings you back into this wallet when all its devices are lost. Anyone who has it can join your wallet, so keep it like a key: on paper or in a password manager. It stays here until you have proved that you have it, and is not shown again.',
    kit: 'PayAssent recovery kit',
    kitHow: (address: string) => `Open ${address}, choose “Recover”, and enter or scan this code:`,
    kitSecret:
      'Anyone who has this code can join your wallet. It works once and is then replaced by a new one.',
    download: 'Download recovery kit',
    print: 'Print',
    proof: {
      label: 'Last four characters of the code',
      hint: 'Type them from the place where you keep the code.',
      wrong: 'These are not the last four characters. Capital and small letters matter.',
    },
    action: 'Open the wallet',
  },
  signOutOthers: {
    label: 'Sign out all other devices of the wallet now',
    hint: 'Choose this when a device was stolen: it can then no longer remove this one.',
  },
  others: {
    title: 'Sign out the other devices?',
    why: 'These devices still see your inbox and may decide. Sign them out when one of them is lost or not yours. Each can come back with a link code.',
    signOut: 'Sign them all out',
    keep: 'Keep them signed in',
  },
});

export const pendingChanges = translated('pendingChanges', {
  title: 'The keys of your wallet are about to change',
  short: 'A device requested a change without the signature of a key. If this was not you, cancel it.',
  look: 'See the change',
  lead: 'A device requested these changes without the signature of a key. Each takes effect after 24 hours unless you cancel it. Cancel a change that you did not request, and remove the device that did.',
  acts: {
    set_key: 'A new decision key for a device',
    remove_key: 'Remove the decision key of a device',
    delete_device: 'Remove a device that has a decision key',
    recovery_code: 'Make a new recovery code',
  },
  device: 'Device:',
  requestedBy: 'Requested by:',
  takesEffect: 'Takes effect:',
  cancel: 'Cancel this change',
});

export const devices = translated('devices', {
  title: 'Devices',
  intro:
    'Every device here sees the same inbox and may decide. Only the first to approve a payment can send it.',
  joined: {
    title: 'A new device joined this wallet',
    text: 'If this was not you, remove it under Devices and make a new recovery code.',
    mine: 'It was me',
    look: 'See the devices',
  },
  thisDevice: 'This device',
  added: 'Added',
  platform: 'Platform',
  link: {
    action: 'Link another device',
    title: 'Link another device',
    how: 'On the other device open this wallet, choose “Join by link code”, and scan or type this code.',
    name: 'link code',
    qr: 'Link code as a QR code',
    secret: 'Anyone who has this code can join your wallet. It works once.',
    expired: 'The code has expired. Make a new one.',
    again: 'Make a new code',
  },
  recovery: {
    title: 'Recovery code',
    how: 'It brings the wallet back when every device is lost. Make a new one when you no longer have it, or when someone may have seen it.',
    action: 'New recovery code',
    question: 'Make a new recovery code?',
    text: 'The old one stops working immediately. Have a place ready to keep the new one.',
    confirm: 'Make a new code',
    lost: {
      title: 'Your last recovery code was not shown.',
      text: 'The page closed too early. The code before it may no longer work. Make a new one now.',
    },
  },
  rotate: {
    action: 'Renew credential',
    title: 'Renew the credential of this device?',
    text: 'The device gets a new secret and the old one stops working. Do this when you think someone may have copied it. Nothing else changes.',
    confirm: 'Renew',
    done: 'The credential was renewed.',
  },
  remove: {
    action: 'Remove',
    title: (isThis: boolean) => (isThis ? 'Remove this device?' : 'Remove this device from the wallet?'),
    other:
      'It can see and decide nothing from now on. Payments it has already approved can no longer be reported by it.',
    self: 'This browser deletes the wallet, and with it what was signed here but not sent yet: send that first. To come back you need a link code from another device, or your recovery code.',
    last: 'It is the last device: every connection of the wallet is revoked, and waiting requests are rejected. Only the recovery code leads back.',
    confirm: 'Remove the device',
  },
});
