import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkAptosAddress, checkSuiAddress } from './move.ts';

// Sources: MystenLabs/sui TypeScript SDK, ed25519-keypair.test.ts and secp256k1-keypair.test.ts (derived
// addresses); trustwallet/wallet-core, rust/tw_any_coin/tests/chains/sui/sui_address.rs.
describeAddressFamily({
  family: 'Sui',
  check: checkSuiAddress,
  valid: [
    '0xa2d14fad60c56049ecf75246a481934691214ce413e6a8ae2fe6834c173a6133',
    '0x1ada6e6f3f3e4055096f606c746690f1108fcc2ca479055cc434a3e1d3f758aa',
    '0xe69e896ca10f5a77732769803cc2b5707f0ab9d4407afb5e4b4464b89769af14',
    '0x9e8f732575cc5386f8df3c784cd3ed1b53ce538da79926b2ad54dcc1197d2532',
    '0x259ff8074ab425cbb489f236e18e08f03f1a7856bdf7c7a2877bd64f738b5015',
    [
      '0x259FF8074AB425CBB489F236E18E08F03F1A7856BDF7C7A2877BD64F738B5015',
      '0x259ff8074ab425cbb489f236e18e08f03f1a7856bdf7c7a2877bd64f738b5015',
    ],
  ],
  invalid: [
    ['0xb1dc06bd64d4e179a482b97bb68243f6c02c1b92', /64 hex digits after 0x; this has 40/],
    ['b1dc06bd64d4e179a482b97bb68243f6c02c1b92', /begin with 0x/],
    ['0xd575ad7f18e948462a5cf698f564ef394a752a71fec62493af8a055c012c0d502', /this has 65/],
    ['0x11', /this has 2\. If the leading zeros/],
    ['0xS59ff8074ab425cbb489f236e18e08f03f1a7856bdf7c7a2877bd64f738b5015', /Character 3 \("S"\)/],
    ['0x', /this has 0/],
    ['suiprivkey1qyqr6yvxdqkh32ep4pk9caqvphmk9epn6rhkczcrhaeermsyvwsg783y9am', /private key/],
  ],
});

// Sources: AIP-40 (aptos-foundation/AIPs, aips/aip-40.md); aptos-labs/aptos-ts-sdk,
// tests/unit/accountAddress.test.ts (the strict parser).
describeAddressFamily({
  family: 'Aptos',
  check: checkAptosAddress,
  valid: [
    '0x14b6041b77304fe9354aba2e0b1a0ae51d816d0513332ef651a039fac90339cb',
    '0x043ec2cb158e3569842d537740fd53403e992b9e7349cc5d3dfaa5aff8faaef2',
    '0xca843279e3427144cead5e4d5999a3d0ca843279e3427144cead5e4d5999a3d0',
    '0x0000000000000000000000000000000000000000000000000000000000000010',
    ['0x0000000000000000000000000000000000000000000000000000000000000001', '0x1'],
    ['0x000000000000000000000000000000000000000000000000000000000000000f', '0xf'],
    '0x1',
  ],
  invalid: [
    ['ca843279e3427144cead5e4d5999a3d0ca843279e3427144cead5e4d5999a3d0', /begin with 0x/],
    [
      '0x43ec2cb158e3569842d537740fd53403e992b9e7349cc5d3dfaa5aff8faaef2',
      /this has 63\. If the leading zeros/,
    ],
    ['0x10', /this has 2/],
    ['0x0f', /this has 2/],
    ['0x00000000000000000000000000000000000000000000000000000000000000011', /this has 65/],
    ['0xxyz', /Character 3 \("x"\)/],
    ['0x', /this has 0/],
    ['0za', /begin with 0x/],
  ],
});
