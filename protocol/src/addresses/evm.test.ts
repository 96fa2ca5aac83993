import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkEvmAddress } from './evm.ts';

// Source: EIP-55, test cases "Normal"; the last is Circle's USDC contract on Base.
describeAddressFamily({
  family: 'EVM addresses with an EIP-55 checksum',
  check: checkEvmAddress,
  valid: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  ],
  invalid: [
    ['0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed', /EIP-55/],
    ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d35', /40 hex digits after 0x; this has 39/],
    ['0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d3599', /this has 41/],
    ['fB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', /begin with 0x/],
    ['0xgB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', /Character 3 \("g"\)/],
    ['0XD1220A0CF47C7B9BE7A2E6BA89F429762E7B9ADB', /begin with 0x/],
    ['vitalik.eth', /name is not an address/],
  ],
  mutateWith: '09aFxO',
});

// Source: EIP-55, test cases "All caps" and "All Lower"; the others are the "Normal" ones in one case.
describeAddressFamily({
  family: 'EVM addresses in one case, stored in EIP-55 form',
  check: checkEvmAddress,
  valid: [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['0xFB6916095CA1DF60BB79CE92CE3EA74C37C5D359', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
    ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  ],
  invalid: [
    ['0x52908400098527886e0F7030069857D2E4169EE7', /EIP-55/],
    ['0x8617E340B3D01FA5F11F306F4090fD50E238070D', /EIP-55/],
    ['0xDe709f2102306220921060314715629080e2fb77', /EIP-55/],
    ['0x27b1fdb04752bbc536007a920d24acb045561C26', /EIP-55/],
    ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeD', /EIP-55/],
  ],
});
