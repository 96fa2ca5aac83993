import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkStarknetAddress } from './starknet.ts';

// Sources: starknet-io/starknet.js, __tests__/utils/address.test.ts; software-mansion/starknet.py and starknet-jvm,
// tests of get_checksum_address; Starknet documentation (the STRK token contract).
describeAddressFamily({
  family: 'Starknet in one case',
  check: checkStarknetAddress,
  valid: [
    [
      '0x7ee790591d9fa3efc87067d95a643f8455e0b8190eb8cb7bfd39e4fb7571fdf',
      '0x07ee790591d9fa3efc87067d95a643f8455e0b8190eb8cb7bfd39e4fb7571fdf',
    ],
    [
      '0x6eff1d71068df8e6677f59a556151c56ed13e14ad431a9bef6fcb3fc5e6fa7',
      '0x006eff1d71068df8e6677f59a556151c56ed13e14ad431a9bef6fcb3fc5e6fa7',
    ],
    [
      '0x2fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
      '0x02fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
    ],
    [
      '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
      '0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d',
    ],
    '0x00abcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefab',
    '0x07fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeff',
  ],
  invalid: [
    ['test', /begin with 0x/],
    ['0xZZ', /Character 3 \("Z"\)/],
    ['0x', /this has 0/],
    ['0x07ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00', /range/],
    ['0xa7ee790591d9fa3efc87067d95a643f8455e0b8190eb8cb7bfd39e4fb7571fdf', /range/],
    ['0x6eff1d71', /seems to be cut/],
    ['0x02fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e91', /seems to be cut/],
    ['0x02fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e9144', /this has 65/],
    [`0x${'0'.repeat(64)}`, /range/],
  ],
});

describeAddressFamily({
  family: 'Starknet with its mixed-case checksum',
  check: checkStarknetAddress,
  valid: [
    [
      '0x02Fd23d9182193775423497fc0c472E156C57C69E4089A1967fb288A2d84e914',
      '0x02fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
    ],
    [
      '0x00AbcDefaBcdefabCDEfAbCDEfAbcdEFAbCDEfabCDefaBCdEFaBcDeFaBcDefAb',
      '0x00abcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefab',
    ],
    [
      '0x00fEdCBafEdcbafEDCbAFedCBAFeDCbafEdCBAfeDcbaFeDCbAfEDCbAfeDcbAFE',
      '0x00fedcbafedcbafedcbafedcbafedcbafedcbafedcbafedcbafedcbafedcbafe',
    ],
    [
      '0x0000090591D9fA3EfC87067d95a643f8455E0b8190eb8Cb7bFd39e4fb7571fDF',
      '0x0000090591d9fa3efc87067d95a643f8455e0b8190eb8cb7bfd39e4fb7571fdf',
    ],
    [
      '0x2Fd23d9182193775423497fc0c472E156C57C69E4089A1967fb288A2d84e914',
      '0x02fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
    ],
  ],
  invalid: [
    ['0x02fd23d9182193775423497fc0c472E156C57C69E4089A1967fb288A2d84e914', /Starknet checksum/],
    ['0x02Fd23d9182193775423497fc0c472E156C57C69E4089A1967fb288A2d84e915', /Starknet checksum/],
    ['0x02FD23D9182193775423497Fc0c472E156C57C69E4089a1967fb288a2D84e914', /lower case/],
    ['0x00AbcDefaBcdefabCDEfAbCDEfAbcdEFAbCDEfabCDefaBCdEFaBcDeFaBcDefAB', /Starknet checksum/],
    ['0x00fEdCBafEdcbafEDCbAFedCBAFeDCbafEdCBAfeDcbaFeDCbAfEDCbAfeDcbAfE', /Starknet checksum/],
  ],
  mutateWith: '1aFx',
});
