// Written by scripts/confusables.mjs from confusables.txt of Unicode 17.0.0 (UTS #39). Do not edit.

/**
 * Code points that resemble a letter, sorted, each as the distance from the previous one in base 36. That takes half
 * the space of hexadecimal, and wallets load this table before their first view.
 */
export const CONFUSABLE_LETTERS: Readonly<Record<string, string>> = {
  a: 'gh 8w w 2n w 322 ez 2pd 4 pkk iia lgg',
  b: 'ao 2 1 1 5r 8v 3j 1 q 1i 1 15 1 30i 11 3i 1 8s 20 4gb nri kk hxq v 2o l9x',
  c: '4i be dh w 2x 1 28p 2e p1 1t1 pp 2df 1 nqt 1cl h6b 2o 7n 14 67 3wt 9 16rg 15q',
  d: '5s 1s 1 3c 3 5m 1 iy 2vz 1z 3s a7 c 24h q3r 1',
  e: 'g6 1 9a 3k w 3s 2 2y5 2o2 cx 20q nnb 18i h90 4dc 8',
  f: 'b5 1 ga bs 374 1iy 8f qio jf 1 po h8y u hs 3ul w 10lt',
  g: 'b1 2f 1 3f 1 iz 39 2tb 1f 1w0 qqb',
  h: '86 1 8v 8h 3q 1q 1z p c 2 4n 2tn 7 1c ay 4iz 13 nrt by i7u',
  i: '8h 8n 1 1 9b 4d 8c 2sj 1xy 1 16f 5 1sr o1g 10u lla',
  j: 'g8 1 8m 38 l 28 30z 6a si4 k9',
  k: 'bd e9 3k 3k 4 30o kv 1y0 2bg 17 nr7 h5 ijc',
  l: '8x 1 2c 1 3 12 4r 2 8c 31 56 f 6p l a 20 1m i 3i 61 2dw 5o ev 28y d6 1p1 1q 3j nma h ihk 3j n 6z 7f 3ul f 10o 7 fyh 30 i jk2 4gt',
  m: 'hd 8b 2m y 4x 2y2 ft 6e 1ax mu 2cz nrb ij5 2p 3xr df',
  n: '97 2a 1 5x 8a q cb 6 4 4qc 2zu nra ib2 p1',
  o: '60 w 4n 5y 83 7 p 7 4 16 1d w 1g 1 39 1 30 1c 2k 2u u 2h 3 k w a 5d bq 3k 3k 3k 1m 1y 3k s 2s s 2s s u 1y s 5q 3k 8w d z 47 14 cx 6m 19 s5 10v 2 139 7 5r 1t0 1 d 1 42 g j j7 n3g gn 1 s2 1 1i q 19 h5j p 9l 14 46 14 18 33u rp j f 9 zk zlm 7ay',
  p: '72 4n q de w 1j 14 w 336 3v 1sg 16f 1ta 1 17 1 npe iis',
  q: 'io hn 20 3 7vz',
  r: 'bq 4n 1b 1 c6 2o 2z2 1d c5 1i7 24 2z7 nry 19g 1 1l hmb l1d jj5',
  s: 'cd 5h ar 28 6y 1jk 1bq 5 1wa qr2 gf vt h64 ay 14 41l h2x',
  t: '9y 1 1y 1 40 9y 3i 3u 2ye 1xv mx dy 59 vs y5 nqm iir q 2s 49z h1q qxq',
  u: 'g4 1z 8q 4a 6m 1c 2gz cs 3k 1qo 2q x8 49 ppt iz q7 4 22 hma 14 3wi w h2i',
  v: 'ql 53 1 9v 3z 40 2jm 2e 1rl zs 49 22f nn2 e1 y2 gz2 p2 3jd be w h1k jk5 7az',
  w: 'hb d5 p s 4f 1 1w 2tu x 1u5 p4 2dw nql hj te ksi g5 4 1 d3 9',
  x: '5z k0 3i w 31 39r 1o 6o 1 21 2ws qg 1 77 1 ho 4x nm6 js hr7 6y 10 2r b ed 3wl',
  y: '4l 7j 4a 1 k 18 7q e 34 w 2z 1 1 1 2eu jm k 1xr ab 2p5 1 nr7 19q h94 4c2 1k h2f',
  z: 'c5 1 32 1 2z 7a 371 1un 2c qqu 1br h9e 4ac r x',
};
