import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkPolkadotAddress } from './polkadot.ts';

// Sources: polkadot-js/common, packages/util-crypto/src/address/encode.spec.ts and check.spec.ts (the development account under
// prefixes 0, 2 and 42, two-byte prefixes, short and long bodies); Polkadot wiki, "System accounts" (the treasury, 13UVJy…);
// polkadot-api and bot examples (the validator 1FRMM8…); `subkey inspect` examples that spell one key for several networks.
describeAddressFamily({
  family: 'Polkadot addresses',
  check: checkPolkadotAddress,
  valid: [
    '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
    '1FRMM8PEiWXYax7rpS6X4XZX1aAAxSWx1CrKTyrVYhV24fg',
    '13UVJyLnbVp9RBZYFwFGyDvVd1y27Tt8tkntv6Q7JVPhFsTB',
    '19E2g3eFj1V3ioeuYdygKk6XpuQz6S1w2os836nfy3P5bYL',
    '1uiNWVvE2yH8Mu96fgtLHokmRUGgo6q7DUQnzTAz7QpT5c5',
  ],
  invalid: [
    ['5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', /prefix 42 \(the generic Substrate form\)/],
    ['HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F', /prefix 2 \(Kusama\)/],
    ['FJaco77EJ99VtBmVFibuBJR3x5Qq9KQrgQJvWjqScCcCCae', /prefix 2 \(Kusama\)/],
    ['211pcbTg6dkkcJrHxsSDTLQLzgLMXvjDpSMBGsXoJWzFtbPS', /prefix 10 \(Acala\)/],
    ['7Lpe5LRa2Ntx9KGDk77xzoBPYTCAvj7QqaBx4Nz2TFqL3sLw', /prefix 63 \(Hydration\)/],
    ['cTGShekJ1L1UKFZR9xmv9UTJod7vqjFAPo4sDhXih2c3y1yLS', /prefix 66 \(/],
    ['yGHU8YKprxHbHdEv7oUK4rzMZXtsdhcXVG2CAMyC9WhzhjH2k', /prefix 255 \(another network\)/],
    ['r6Gr4gaMP8TsjhFbqvZhv3YvnasugLiRJpzpRHifsqqG18UXa', /prefix 14269 /],
    ['5GoKvZWG5ZPYL1WUovuHW3zJBWBP5eT8CbqjdRY4Q6iMaDwU', /checksum/],
    ['5EnxIUmEbw8DkENKiYuZ1DwQuMoB2UWEQJZZXrTsxoz7SpgG', /Character 5 \("I"\)/],
    ['KWCv1L3QX9LDPwY4VzvLmarEmXjVJidUzZcinvVnmxAJJCBou', /holds 36 bytes instead of 35/],
    ['F7NZ', /holds 3 bytes instead of/],
    ['15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp', /checksum/],
    ['15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr', /holds 33 bytes instead of 35/],
    ['0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d', /public key in hex/],
    ['', /prefix/],
  ],
  mutateWith: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0Ol',
});
