import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkBitcoinAddress } from './bitcoin-like.ts';

// Source: bitcoin/bitcoin, src/test/data/key_io_valid.json (chain main) and key_io_invalid.json.
describeAddressFamily({
  family: 'Bitcoin base58check (P2PKH, P2SH)',
  check: checkBitcoinAddress,
  valid: [
    '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo',
    '36j4NfKv6Akva9amjWrLG6MuSQym1GuEmm',
    '1FjL87pn8ky6Vbavd1ZHeChRXtoxwRGCRd',
    '3BZECeAH8gSKkjrTx8PwMrNQBLG18yHpvf',
    '1G9A9j6W8TLuh6dEeVwWeyibK1Uc5MfVFV',
  ],
  invalid: [
    ['mzK2FFDEhxqHcmrJw1ysqFkVyhUULo45hZ', /testnet/],
    ['2NC2hEhe28ULKAJkW5MjZ3jtTMJdvXmByvK', /testnet/],
    ['n4fajahJrAuKbN7uNsKjLjQkz9Qn5ewJXQ', /testnet/],
    ['AZEah8d1EK362okRBS66e8SvdtYkrE8tsX', /another network/],
    ['KzNbAQ4mexfAxa6RKBzHQqfoTycaeWpv2p', /begins with 1, 3 or bc1/],
    ['2UVPFpGYnLHJezFzjUo42our6PMEoozzRdM', /begins with 1, 3 or bc1/],
    ['x', /1 characters/],
    ['1GAdfviErV2Ew95FPtZyikz2qGP3gyCB6Hyu94sedAkPpA523m3fQwps9YKUZkKgQckGPKhRsFR', /75 characters/],
    ['1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2m0', /Character 34 \("0"\)/],
    ['1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mp', /checksum/],
    // Published test keys of the same file: a private key must be recognised as such.
    ['5JuW2AMDYu4xVwRG9DZW18VbzQrGcd5RCgb99sS6ehJsNQXu5b9', /private key/],
    ['L5nJeqKmpHp4P7F8ZYyjwc5a7P4d8EabuGAzfGJk7yC1BJyzNaEd', /private key/],
    ['LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA', /Litecoin/],
    ['DD4KSSuBJqcjuTcvUg1CgUKeurPUFeEZkE', /Dogecoin/],
  ],
  mutateWith: '1Az90',
});

// Source: BIP-350 test vectors for v0–v16 addresses (with those of BIP-173 and the BIP-341 key path address),
// and bitcoin/bitcoin key_io_valid.json and key_io_invalid.json.
describeAddressFamily({
  family: 'Bitcoin segregated witness (bech32) and taproot (bech32m)',
  check: checkBitcoinAddress,
  valid: [
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    ['BC1SW50QGDZ25J', 'bc1sw50qgdz25j'],
    'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    'bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv',
    'bc1qyucykdlhp62tezs0hagqury402qwhk589q80tqs5myh3rxq34nwqhkdhv7',
    'bc1p83n3au0rjylefxq2nc2xh2y4jzz4pm6zxj4mw5pagdjjr2a9f36s6jjnnu',
  ],
  invalid: [
    ['tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', /Bitcoin testnet/],
    ['bcrt1qdavt4j2sd7dlhqsavtnfxvzppw6k7qy97tmnu9', /regtest/],
    ['tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut', /begins with 1, 3 or bc1/],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', /uses bech32m/],
    ['BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL', /uses bech32m/],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', /uses bech32\./],
    ['bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', /Character 60 \("o"\)/],
    ['BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', /Witness version 17/],
    ['bc1pw5dgrnzv', /1 bytes/],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav', /41 bytes/],
    ['BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', /16 bytes/],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf', /surplus bits/],
    ['bc1gmk9yu', /empty after its prefix/],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kV8F3T4', /never mixed/],
    ['bc1qpu6d26mrulzetu4jqhd7rsunv9aqru26f5c4j8', /uses bech32\./],
    [
      'sp1qq22l5s6l9460ww6t4tkzsy2a7zejurcmzz35pt0ffrzk5erlaykdcqugecjjnjqf7ggq39vl6wexjlm00n66z94v675n7wcux6d2krr68gcwu9kg',
      /silent payment/,
    ],
    ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', /Litecoin/],
  ],
  mutateWith: 'qp17bX',
});
