import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkLitecoinAddress } from './bitcoin-like.ts';

// Sources: litecoin-project/litecoin, src/test/data/key_io_valid.json and key_io_invalid.json (base58);
// ltcsuite/ltcd, ltcutil/address_test.go (segwit, taproot, and a P2PKH address that begins like a segwit one);
// Simplexum/python-litecointx, README.md (an old P2SH address and its present form).
describeAddressFamily({
  family: 'Litecoin',
  check: checkLitecoinAddress,
  valid: [
    'LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA',
    'MHrYRxAiMNBTku3eoDHwhA1LQGDjUStZW2',
    'M9dw1FAoWpHC6PcMzoCHhqQ9McvTyG5Ywj',
    'LbfVMz974gbbGFqXF7FZUpSBWSbwBHDwR5',
    'MWGEAUUZoN4r6puz8KsgnE9wNTQ8fGWCEy',
    'LTC1f9gtb7bU6B4VjHXvPGDi8ACNZhkKPo',
    ['LTC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KGMN4N9', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'],
    'ltc1paardr2nczq0rx5rqpfwnvpzm497zvux64y0f7wjgcs7xuuuh2nnqd8yawa',
  ],
  invalid: [
    ['3F1c6UWAs9RLN2Mbt5bAJue12VhVCorXzs', /Bitcoin.*MMDkQMv8pGGmAXdVyxaW8YtQMCHw7eouma/],
    ['mwXn5Vhicdav8Av3KMokx4YNuHoGRKxtWs', /testnet/],
    ['QXaUgLHkZcbJb2j5XgMYzY8cF9YM48Y81Z', /Litecoin testnet/],
    ['9HNmZX4VS73qJEWzmNcmXbkQ9TFf6sUTCQ', /begins with L, M or ltc1/],
    ['SLrpY37XP4qJryx7fjPZMak4Lxzfo5WShx', /begins with L, M or ltc1/],
    ['kTcGJ65MCfb8jXDWf1sYGEpCyA4kcP9BDk', /checksum/],
    ['2MwUPLQvSc9iamSJ4bKEGM7gHBaZeP9LNxp', /checksum/],
    ['tltc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qsnr4fp', /Litecoin testnet/],
    ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', /checksum/],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /Bitcoin address/],
    ['1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo', /Bitcoin/],
    ['1MirQ9bwyQcGVJPwKUgapu5ouK2E2Ey4gY', /checksum/],
    ['T5MZ5z9WqJxzVxYyVPecTJUSDkzDWrUYe1JuSX2AqJ9jKmLJrvTE', /private key/],
  ],
  mutateWith: '1Lq7b',
});
