import { translated } from '../language.ts';

/** The test network key that a browser may hold, and messages about signing with it. */
export const stellar = translated('stellar', {
  signer: {
    otherNetwork: 'This browser signs payments of the Stellar test network only.',
    noKey: 'There is no test key in this browser. Make one under “Test key”, or pay with another wallet.',
    make: 'Make a test key with play money',
    note: (address: string) =>
      `This browser will sign with its test key ${address.slice(0, 4)}…${address.slice(-4)} and send the payment to the test network.`,
    unfunded:
      'The account of the test key does not exist yet. Get lumens from the faucet under “Test key” first.',
    tooLittle: 'The account does not hold enough for this payment and its fee. Nothing was signed.',
    neverReached:
      'The test network has not been reached with this account yet, so nothing can be signed. Try again when it can be reached.',
    /** Errors that may pass, by the network's codes. */
    reasons: {
      tx_bad_seq:
        'An earlier payment of this account is signed but not sent. Send that one first, or wait until it has expired',
      tx_insufficient_balance: 'The account does not hold enough',
      tx_insufficient_fee: 'The test network is busy and requires a higher fee',
    },
    noReason: 'no reason given',
    refused: (codes: string) => `The test network refused the payment: ${codes}.`,
  },
  cost: {
    enough: ({ balance, fee }: { balance: string; fee: string }, asset: string) =>
      `Balance ${balance} ${asset}, fee at most ${fee} XLM`,
    tooLittle: ({ balance }: { balance: string }, asset: string) =>
      `Balance ${balance} ${asset}: not enough for this payment and its fee`,
    looking: 'Reading the balance …',
    unreachable: 'Balance unknown: the test network cannot be reached',
    unfunded: 'The paying account does not exist yet',
  },
  freighter: {
    action: 'Sign with Freighter',
    note: 'The browser extension Freighter will show this payment and sign it. It must be set to the test network.',
    silent: 'Freighter did not respond. Nothing was signed.',
    declined: 'Freighter did not sign: you declined, or it is locked. Nothing was signed.',
    otherNetwork: 'Freighter is set to another network. Switch it to the test network and try again.',
    unfunded: 'The account in Freighter does not exist on the test network yet.',
    swapped:
      'Freighter returned something else than the payment shown here. Nothing was sent or reported. Check the extension before you use it again.',
  },
  page: {
    title: 'Test key',
    lead: 'A key of the Stellar test network that lives in this browser. It pays with play money only, and is gone when the data of this site are deleted.',
    none: {
      title: 'No test key yet',
      text: 'With a test key this wallet can sign payments of the test network itself, so that you see the whole way. Never bring a key of real value here.',
      create: 'Make a test key',
      importLabel: 'Secret seed of the test network',
      importHint:
        'Begins with S. Only the seed of a test account: PayAssent never asks for a key that money depends on. It stays in this browser and is never sent anywhere.',
      importAction: 'Use this seed',
      fault: 'This browser could not make or keep the key.',
      faultNext:
        'Allow storage for this page, or use a newer browser: it has to know Ed25519 keys. Then try again.',
      notASeed: 'A secret seed begins with S and has 56 characters. Copy it whole.',
    },
    address: 'Address',
    balance: 'Balance',
    balances: {
      unfunded: 'The account does not exist yet: it needs lumens from the faucet.',
      unreachable:
        'The test network cannot be reached. What was signed before is sent when it can be reached again.',
      looking: 'Reading the balance from the test network …',
    },
    faucet: {
      action: 'Get lumens from the faucet',
      asking: 'Requesting lumens. This takes some seconds …',
      failed: 'The faucet gave nothing.',
      next: 'It may be busy, or out of reach. Try again in a moment.',
    },
    reveal: {
      action: 'Show the secret seed',
      title: 'Show the secret seed?',
      text: 'Anyone who has the seed can spend what this key holds. Show it only when no one else can see your screen.',
      confirm: 'Show it',
      name: 'Secret seed',
    },
    remove: {
      action: 'Remove the key',
      title: 'Remove the test key?',
      text: 'It cannot be brought back without its seed, and what its account holds is out of reach without it.',
      confirm: 'Remove it',
    },
  },
});
