import { describe, expect, it } from 'vitest';
import { describeAddressFamily } from '../../test/address-vectors.ts';
import { checkFilecoinAddress } from './filecoin.ts';

// Sources: filecoin-project/go-address, address_test.go (f1, f2, f3 and the invalid strings, here with f for t where the network is not what
// is tested); filecoin-project/lotus, chain/types/ethtypes tests (f410fkkld… is 0x52963ef5…).
describeAddressFamily({
  family: 'Filecoin addresses',
  check: checkFilecoinAddress,
  valid: [
    'f15ihq5ibzwki2b4ep2f46avlkrqzhpqgtga7pdrq',
    'f12fiakbhe2gwd5cnmrenekasyn6v5tnaxaqizq6a',
    'f1wbxhu3ypkuo6eyp6hjx6davuelxaxrvwb2kuwva',
    'f24vg6ut43yw2h2jqydgbg2xq7x6f4kub3bg6as6i',
    'f25nml2cfbljvn4goqtclhifepvfnicv6g7mfmmvq',
    'f2nuqrg7vuysaue2pistjjnt3fadsdzvyuatqtfei',
    'f3vvmn62lofvhjd2ugzca6sof2j2ubwok6cj4xxbfzz4yuxfkgobpihhd2thlanmsh3w2ptld2gqkn2jvlss4a',
    'f3wmuu6crofhqmm3v4enos73okk2l366ck6yc4owxwbdtkmpk42ohkqxfitcpa57pjdcftql4tojda2poeruwa',
    'f410fkkld55ioe7qg24wvt7fu6pbknb56ht7pt4zamxa',
    'f410faaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaonc6iji',
  ],
  invalid: [
    ['Q2gfvuyh7v2sx3patm5k23wdzmhyhtmqctasbr23y', /begins with f1/],
    ['t2gfvuyh7v2sx3patm5k23wdzmhyhtmqctasbr23y', /testnet/],
    ['f4gfvuyh7v2sx3patm5k23wdzmhyhtmqctasbr23y', /f410f/],
    ['f2gfvuyh7v2sx3patm5k23wdzmhyhtmqctasbr24y', /checksum/],
    ['f2gfvuyh7v2sx3patm1k23wdzmhyhtmqctasbr24y', /Character 19 \("1"\)/],
    ['f2gfvuyh7v2sx3paTm1k23wdzmhyhtmqctasbr24y', /Character 17 \("T"\)/],
    ['f2', /41 characters; this has 2/],
    ['f1234', /41 characters; this has 5/],
    ['f01024', /actor id/],
    ['f0banananananannnnnnn', /actor id/],
    ['f5gfvuyh7v2sx3patm5k23wdzmhyhtmqctasbr23y', /1, 2, 3 or 410f/],
    ['F15IHQ5IBZWKI2B4EP2F46AVLKRQZHPQGTGA7PDRQ', /lower case/],
    ['0x52963ef50e27e06d72d59fcb4f3c2a687be3cfef', /f410f/],
    ['f15ihq5ibzwki2b4ep2f46avlkrqzhpqgtga7pdrr', /surplus bits|checksum/],
    ['', /begins with f1/],
  ],
  mutateWith: 'abcdefghijklmnopqrstuvwxyz234567018A',
});

describe('Filecoin delegated addresses', () => {
  it('refuses one that only wraps an actor id, even with a right checksum', async () => {
    const { blake2b } = await import('@noble/hashes/blake2.js');
    const { base32nopad } = await import('@scure/base');
    const wrapped = Uint8Array.of(0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1f, 0x25);
    const checksum = blake2b(Uint8Array.of(4, 10, ...wrapped), { dkLen: 4 });
    const text = `f410f${base32nopad.encode(Uint8Array.of(...wrapped, ...checksum)).toLowerCase()}`;
    expect(checkFilecoinAddress(text)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/actor id/),
    });
  });
});
