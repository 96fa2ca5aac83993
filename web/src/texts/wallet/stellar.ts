/** The key of the test network that a browser may hold, and what signing with it says. */
export const stellar = {
  signer: {
    otherNetwork: 'This browser signs payments of the Stellar test network only.',
    noKey: 'There is no test key in this browser. Make one under “Test key”, or pay with another wallet.',
    note: (address: string) =>
      `This browser will sign with its test key ${address.slice(0, 4)}…${address.slice(-4)} and send the payment to the test network.`,
    refused: (codes: string) => `The test network refused the payment: ${codes}.`,
  },
  page: {
    title: 'Test key',
    lead: 'A key of the Stellar test network that lives in this browser. It pays with play money only, and is gone when the data of this site are deleted.',
    none: {
      title: 'No test key yet',
      text: 'With a test key this wallet can sign payments of the test network itself, so that you see the whole way. Never bring a key of real value here.',
      create: 'Make a test key',
      importLabel: 'Secret seed of the test network',
      importHint: 'Begins with S. It stays in this browser and is never sent anywhere.',
      importAction: 'Use this seed',
      notASeed: 'A secret seed begins with S and has 56 characters. Copy it whole.',
    },
    address: 'Address',
    balance: 'Balance',
    balances: {
      unfunded: 'The account does not exist yet: it needs lumens from the faucet.',
      unreachable:
        'The test network cannot be reached. Payments can be signed, and are sent when it can be reached again.',
      looking: 'Asking the test network …',
    },
    fund: 'Get lumens from the faucet',
    reveal: {
      label: 'Show the secret seed',
      title: 'Show the secret seed?',
      text: 'Whoever has the seed can spend what this key holds. Show it only when nobody looks over your shoulder.',
      confirm: 'Show it',
      name: 'Secret seed',
    },
    remove: {
      label: 'Remove the key',
      title: 'Remove the test key?',
      text: 'It cannot be brought back without its seed, and what its account holds is out of reach without it.',
      confirm: 'Remove it',
    },
  },
} as const;
