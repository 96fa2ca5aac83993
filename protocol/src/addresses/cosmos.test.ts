import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkCosmosAddress } from './cosmos.ts';

// Sources: cosmos/cosmos-sdk documentation (account of the gov module), cosmos/cosmjs (the faucet account of its tests), CosmWasm/wasmd tests
// (contract accounts of 32 bytes and fixtures), strangelove-ventures/interchaintest (account of a published mnemonic); refused ones from
// cosmos/cosmjs, packages/encoding/src/bech32.spec.ts.
describeAddressFamily({
  family: 'Cosmos Hub addresses',
  check: checkCosmosAddress,
  valid: [
    'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn',
    'cosmos1hj5fveer5cjtn4wd6wstzugjfdxzl0xpxvjjvr',
    'cosmos1vx8knpllrj7n963p9ttd80w47kpacrhuts497x',
    'cosmos14hj2tavq8fpesdwxxcu44rty3hh90vhujrvcmstl4zr3txmfvw9s4hmalr',
    'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6',
    'cosmos1qyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqs2m6sx4',
    ['COSMOS10D07Y265GMMUVT4Z0W9AW880JNSR700J6ZN9KN', 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn'],
  ],
  invalid: [
    ['eth1n48g2mjh9ezz7zjtya37wtgg5r5emr0drkwlgw', /begins with "eth1".*cosmos1/],
    ['eth1n48g2mjh9ezz7zjtya37wtgg5r5emr0dk27ndv', /begins with "eth1"/],
    ['nooneinhere', /begins with cosmos1/],
    ['cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9km', /checksum/],
    ['cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9', /checksum/],
    // Found in public code as a placeholder: a contract address whose prefix was changed by hand.
    ['cosmos1nc5tatafv6eyq7llkr2gv50ff9e22mnf70qgjlv737ktmt4eswrqrr2r7y', /checksum/],
    ['Cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn', /mixes upper and lower case/],
    ['cosmos10d07y265gmmuvt4z0w9aw880jnsr7b0j6zn9kn', /Character 37 \("b"\)/],
    [
      'cosmosvaloper1sjllsnramtg3ewxqwwrwjxfgc4n4ef9u2lcnj0',
      /operator of a validator, not an account.*cosmos1/,
    ],
    ['cosmos1', /cut short/],
    [
      'cosmospub1ytql0csgqvfzd666axrjzqmn5q2ucztcyxw8hvlzen94ay05tegaerkug5pn3xn8wqdymt598ufzd666axrjzqsxllmwacap3f6xyc4x30jl8ecrcs2tze3zzgxkmthcsqxnqxhwwgfzd666axrjzqs2rlu3wz5gnslgpprszjr8r65n0d6y39q657th77eyvengtk3z0y6h2pnk',
      /45 or 65 characters/,
    ],
    ['', /begins with cosmos1/],
  ],
  mutateWith: 'qpzry9x8gf2tvdw0s3jn54khce6mua7l1bioQ',
});
