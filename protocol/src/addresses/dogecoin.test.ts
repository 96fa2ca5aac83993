import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkDogecoinAddress } from './bitcoin-like.ts';

// Source: dogecoin/dogecoin, src/test/data/base58_keys_valid.json and base58_keys_invalid.json.
describeAddressFamily({
  family: 'Dogecoin',
  check: checkDogecoinAddress,
  valid: [
    'DD4KSSuBJqcjuTcvUg1CgUKeurPUFeEZkE',
    'A7HRQk3GFCW2QasvdZxXuYj8kkQK5QrYLs',
    'DBjW6kna7rUPE4Mj9j4B3oK3xVA1SDHrdt',
    '9zYnVRaekPtdKBYuPw5QiBtv3NNrzD2LLW',
    'D77Z1nmgSZxJTmtN65n2MVF9yvLSB4MpiC',
    'AFVkW8WgPP2rsTdAeyogFK9k8gXJ1LZwrb',
  ],
  invalid: [
    ['nhRsrUaxZou6sewjqaS37cJrMRJRgwVXdk', /Dogecoin testnet/],
    ['2MsvyG12kxxipe276Au4zKqvd2xdrBuHWb3', /testnet/],
    ['165HvYriTQNnozm88px2J5hKmB4Wwycd1M', /Bitcoin/],
    ['NWBGQo6RoqhkBnXiqjvtHECStXbZh5hd1j', /begins with D, 9 or A/],
    ['gAbSZEuT7fwPAdKFEJ4NrCejDPvaL8FH5v', /begins with D, 9 or A/],
    ['2fpC18uhHT9o5ECd681oxKYTm7VyiErJQWY', /begins with D, 9 or A/],
    ['DgpdoCSmPFX2vYbbcPAdziL9Gc9h59jbjLy', /checksum/],
    ['6K7a8wZW8A1oZxNd7wZz8PhgAAaDxybkzNpD1sGVvmSaBmc3Hg2', /private key/],
    ['DD4KSSuBJqcjuTcvUg1CgUKeurPUFeEZkF', /checksum/],
    ['LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA', /Litecoin/],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /Bitcoin address/],
  ],
  mutateWith: '1Az9l',
});
