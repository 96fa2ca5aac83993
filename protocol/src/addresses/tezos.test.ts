import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkTezosAddress } from './tezos.ts';

// Sources: ecadlabs/taquito, packages/taquito-utils/test/validators.spec.ts; Octez, the key hashes of the BLS12-381 tests
// (tz4HVR6…, tz4J2C4…, tz4UGLd…); the sandbox account `alice` of the Octez tooling (tz1VSUr…); trilitech/tzgo (tz3, KT1).
describeAddressFamily({
  family: 'Tezos addresses',
  check: checkTezosAddress,
  valid: [
    'tz1QZ6KY7d3BuZDT1d19dUxoQrtFPN2QJ3hn',
    'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb',
    'tz2TSvNTh2epDMhZHrw73nV9piBX7kLZ9K9m',
    'tz2BFTyPeYRzxd5aiBchbXN3WCZhx7BqbMBq',
    'tz3VEZ4k6a4Wx42iyev6i2aVAptTRLEAivNN',
    'tz4EECtMxAuJ9UDLaiMZH7G1GCFYUWsj8HZn',
    'tz4HVR6aty9KwsQFHh81C1G7gBdhxT8kuytm',
    'tz4J2C4qCG3LXdM166Kut2SrkRVZaGfuecBc',
    'tz4UGLdFGkjXEtED52TEfZiFrPDA4ShL77rS',
    'KT1Fe71jyjrxFg9ZrYqtvaX7uQjcLo7svE4D',
    'KT1AaaBSo5AE6Eo8fpEN5xhCD4w3kHStafxk',
  ],
  invalid: [
    ['tz1QZ6KY7d3BuZDT1d19dUxoQrtFPN2QJ3hm', /checksum/],
    ['KT1Fe71jyjrxFg9ZrYqtvaX7uQjcLo7sp', /36 characters; this has 33/],
    ['KT1Fe71jyjrxFg9ZrYqtvaX7uQjcLo7svE4D%test', /entry point/],
    ['tz2TSvNTh2epDMhZHrw73nV9piBX7kLZ9K9mAAAAAAAAAA', /36 characters; this has 46/],
    ['sr166cywS6HJx9gmqMU28Vo284gPQaPcGmYW', /smart rollup/],
    ['tz5VWE3unqGsLVrYhxCGBxi1111111111111', /kind tz5 cannot be used here/],
    ['edpkvS5QFv7KRGfa3b87gg9DBpxSm3NpSwnjhUjNBQrRUUR66F7C9g', /begins with tz1/],
    ['tz1QZ6KY7d3BuZDT1d19dUxoQrtFPN2QJ3h0', /Character 36 \("0"\)/],
    ['TZ1QZ6KY7d3BuZDT1d19dUxoQrtFPN2QJ3hn', /begins with tz1/],
    ['tz1', /36 characters; this has 3/],
    ['', /begins with tz1/],
  ],
  mutateWith: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0Ol',
});
