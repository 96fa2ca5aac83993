import { describe, expect, it } from 'vitest';
import { checkFreeForm } from './free-form.ts';

/** What shops and agents really send. None of it may raise an alarm: an alarm costs a sale. */
const ORDINARY: Readonly<Record<string, unknown>> = {
  'an order': {
    title: 'Order 1042',
    items: [{ name: 'Blue Bottle Coffee, 340 g', quantity: 2, amount: '18.50' }],
  },
  'an order with a delivery': {
    order_number: 'A-2026-000193',
    deliver_to: 'Ana Sousa',
    shipping_address: 'Rua Augusta 1, 1100-048 Lisboa',
  },
  'a billing address in parts': {
    billing_address: { street: '221B Baker Street', city: 'London', postcode: 'NW1 6XE', country: 'GB' },
  },
  'an email address': {
    email_address: 'ana.sousa+orders@mail.example',
    contact: { email: 'support@shop.example' },
  },
  'a journey': {
    trip: { from: 'NYC', to: 'LIS', class: 'economy' },
    legs: [{ from: 'JFK', to: 'LIS', flight: 'TP 208' }],
  },
  'a train ticket': { ticket: { from: 'Porto Campanhã', to: 'Lisboa Oriente', coach: '21', seat: '47' } },
  'a hotel': { title: '2 nights at Casa do Rio', check_in: '2026-07-04', check_out: '2026-07-06', guests: 2 },
  'a SHA-256 digest': { digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
  'a digest in groups': {
    fingerprint: 'E3B0 C442 98FC 1C14 9AFB F4C8 996F B924 27AE 41E4 649B 934C A495 991B 7852 B855',
  },
  'a fingerprint of a key': {
    ssh: 'SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8',
    md5: '16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48',
  },
  'a git commit': { commit: '9fceb02d0ae598e95dc970b74767f19372d61af8', ref: 'refs/heads/release/2026.07' },
  'a short git commit': { build: '9fceb02', branch: 'feature/PAY-1234-new-checkout' },
  'a UUID': { trace: '123e4567-e89b-12d3-a456-426614174000', parent: '7d444840-9dc0-11d1-b245-5ffdce74fad2' },
  'UUIDs in a list': {
    ids: [
      'f47ac10b-58cc-4372-a567-0e02b2c3d479',
      '9b2f8a64-0c3a-4b7e-8d1e-3f5a6b7c8d9e',
      '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    ],
  },
  ULIDs: { ids: ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01BX5ZZKBKACTAV9WEVGEMMVRZ'] },
  'a Mongo id': { _id: '507f1f77bcf86cd799439011' },
  IBANs: {
    refund_iban: 'GB82 WEST 1234 5698 7654 32',
    other: 'DE89370400440532013000',
    third: 'PT50 0002 0123 1234 5678 9015 4',
  },
  'a long IBAN': { customer_iban: 'MT84 MALT 0110 0001 2345 MTLC AST0 01S' },
  'a BIC': { bic: 'DEUTDEFF500', bank: 'Deutsche Bank' },
  'card digits': { card: '**** **** **** 4242', network_name: 'visa', expires: '12/28' },
  'an ISBN': { isbn: '978-3-16-148410-0', isbn10: '0-306-40615-2' },
  'an ISSN and a DOI': { issn: '2049-3630', doi: '10.1000/182', arxiv: 'arXiv:2301.00001v2' },
  'an EAN and a UPC': { ean: '4006381333931', upc: '036000291452', gtin: '00012345600012' },
  'phone numbers': { phone: '+351 912 345 678', fax: '+44 (0)20 7946 0958', us: '555-0123' },
  'a product key': { licence: 'VK7JG-NPHTM-C97JM-9MPGT-3V66T' },
  'codes in groups of four': {
    code: 'ABCD EFGH JKLM NPQR',
    voucher: 'XMAS-2026-GIFT-CARD',
    backup: ['1A2B 3C4D', '5E6F 7G8H', '9J1K 2L3M'],
  },
  'recovery words': { hint: 'correct horse battery staple' },
  'a serial number': { serial: 'C02XK0AAJGH5', imei: '490154203237518', vin: '1HGCM82633A004352' },
  'a tracking number': {
    tracking: '1Z999AA10123456784',
    other: 'RR123456789PT',
    dhl: 'JD014600003654321987',
  },
  'a licence plate': { plate: 'AA-12-BC' },
  coordinates: { place: '38.7223,-9.1393', pluscode: '8CCGPRC6+X9', what3words: '///filled.count.soap' },
  'a URL': { url: 'https://shop.example/orders/1042?utm_source=mail&utm_campaign=summer_sale#items' },
  'a long URL': {
    receipt:
      'https://files.shop.example/receipts/2026/07/04/6f1ed002ab5595859014ebf0951522d9/invoice-1042.pdf?X-Amz-Signature=fe5f80f77d5fa3beca038a248ff027d0445342fe2855ddc963176630326f1024',
  },
  'a data URL': {
    image:
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  },
  'long base64': {
    blob: Buffer.from('ordinary bytes of an ordinary attachment, repeated. '.repeat(40)).toString('base64'),
  },
  'base64 in lines': {
    pem: Buffer.from('a certificate request that is no address at all, only long '.repeat(6))
      .toString('base64')
      .match(/.{1,64}/g)
      ?.join('\n'),
  },
  'base32 of a second factor': {
    otpauth: 'otpauth://totp/Shop:ana@mail.example?secret=JBSWY3DPEHPK3PXP&issuer=Shop',
  },
  'a JWT': {
    session:
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  },
  'a MAC and an IP': {
    mac: '00:1A:2B:3C:4D:5E',
    ip: '203.0.113.7',
    ip6: '2001:db8:85a3::8a2e:370:7334',
    ip_address: '198.51.100.2',
  },
  'a user agent': {
    agent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  },
  times: { from: '2026-07-04T10:00:00Z', until: '2026-07-04T12:00:00+01:00', duration: 'PT2H' },
  'a schedule in words': { when: 'Every first Monday, 10:00-12:00, except public holidays.' },
  'chemistry and maths': {
    formula: 'C8H10N4O2',
    equation: 'e^(i*pi)+1=0',
    smiles: 'CN1C=NC2=C1C(=O)N(C(=O)N2C)C',
  },
  DNA: {
    primer: 'GATTACAGATTACACCGGTTAAGATTACAGATTACACCGGTTAAGATTACAGATTACA',
    groups: 'GATT ACAG ATTA CACC GGTT AAGA TTAC AGAT TACA CCGG TTAA GATT ACAG ATTA',
  },
  'long prose': {
    text: 'Great coffee can make any morning better. Many of our customers call to say that a cup of Casa blend carries them through a market day; may it do the same for you. Games, cards and garden tools are also available at the counter, and can be collected at any time during opening hours.',
  },
  'prose in capitals': {
    notice:
      'PLEASE BE ADVISED THAT CARGO MAY BE HELD AT CUSTOMS AND CAN BE COLLECTED ONLY BY THE CUSTOMER NAMED IN THE ORDER',
  },
  German: {
    text: 'Größe 42, Straße „Am Markt“ 7; Lieferung bis Mittwoch, Rückgabe binnen 14 Tagen möglich.',
  },
  Portuguese: { text: 'Promoção: leve 3, pague 2. Válido até domingo, não acumulável com outras ofertas.' },
  Japanese: { text: '注文番号１０４２：コーヒー豆（３４０ｇ）×２', 備考: 'ギフト包装あり' },
  Arabic: { text: 'طلب رقم ١٠٤٢ — قهوة', ملاحظة: 'شكرا' },
  Russian: {
    text: 'Заказ 1042: кофе, 2 пачки',
    комментарий: 'Позвоните за час',
    то: 'да',
    адрес_доставки: 'Москва',
  },
  Hindi: { text: 'ऑर्डर 1042: कॉफ़ी' },
  emoji: { title: 'Tea ☕️ for 👩🏽‍🚀', tags: ['🏳️‍🌈', '1️⃣'] },
  markdown: { body: '## Your order\n\n- 2 × coffee\n- 1 × mug\n\n**Total:** 31.00\n\n> Thank you!' },
  code: { snippet: 'const total = items.reduce((sum, { price }) => sum + price, 0); // 31' },
  'a table of numbers': {
    rows: ['12 34 56 78', '11 22 33 44', '99 88 77 66', '31 41 59 26', '53 58 97 93'],
    sum: 1112,
  },
  'lottery numbers': { draw: '03 11 19 27 35 42 | 07' },
  'a list of sizes': {
    sizes: ['S', 'M', 'L', 'XL', 'XXL'],
    grid: ['A1', 'B2', 'C3', 'D4', 'E5', 'F6', 'G7'],
  },
  'country codes': {
    countries: [
      'AT',
      'BE',
      'BG',
      'HR',
      'CY',
      'CZ',
      'DK',
      'EE',
      'FI',
      'FR',
      'DE',
      'GR',
      'HU',
      'IE',
      'IT',
      'LV',
      'LT',
      'LU',
      'MT',
      'NL',
      'PL',
      'PT',
      'RO',
      'SK',
      'SI',
      'ES',
      'SE',
    ],
  },
  chess: { moves: '1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O' },
  'a transaction hash': {
    earlier_payment: '3389e9f0f1a65f19736cacf544c2e825313e8447f569233bb8db39aa607c8889',
  },
  'an EVM transaction hash': { hash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b' },
  'ids of this service': {
    request: 'pr_01JZ8Q4M7R9T2V5X8B1D4F6H0K',
    recipient_ref: 'rcp_01ARYZ6S410000000000000000',
    merchant_name_shown: 'Shop',
  },
  'numbers of every kind': {
    small: 1,
    fraction: 0.1,
    negative: -3.5,
    big: 123456789,
    flag: true,
    nothing: null,
  },
  'a price list': { prices: { base: '10.00', tax: '2.30', total_due: '12.30', currency: 'EUR' } },
  'an insurance policy': {
    policy_number: 'POL-7781-2231-9921',
    agreement_number: 'C-2026-17',
    beneficiary_name: 'Ana',
  },
  'a subscription': {
    plan: 'pro',
    period: { from: '2026-07', to: '2026-08' },
    seats: 5,
    payment_terms: 'net 30',
  },
  'a donation': { campaign: 'Clean water', dedication: 'In memory of Grandpa Joe', memorial: true },
  'a parking session': { zone: 'C3', plate: '12-AB-34', from: '10:05', until: '11:35' },
  'a game': { item: 'Sword of Dawn +3', rarity: 'legendary', seed: 8675309 },
  'a doctor': { appointment: 'Dr. Silva, room B2-14', insurance_number: 'SNS 123 456 789' },
  'a telephone top-up': { operator: 'MEO', msisdn: '351912345678', product: 'TOPUP-10' },
};

describe('ordinary texts raise no alarm', () => {
  it('of which there are many', () => {
    expect(Object.keys(ORDINARY).length).toBeGreaterThan(60);
  });

  it.each(Object.entries(ORDINARY))('%s', (_name, value) => {
    const rules = { maxBytes: 8192, maxDepth: 8, allowedAddresses: new Set<string>() };
    for (const place of ['display', 'metadata', 'source'])
      expect(checkFreeForm(value, place, rules)).toEqual([]);
  });
});
