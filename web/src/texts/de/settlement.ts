import type * as english from '../settlement.ts';
import type { Translated } from './translated.ts';

export const settlement: Translated<typeof english.settlement> = {
  title: 'Auf der Blockchain',
  unchecked: 'Von der Wallet gemeldet, nicht geprüft',
  states: {
    unknown: 'Die Blockchain konnte nicht abgefragt werden',
    unseen: 'Bisher nicht auf der Blockchain',
    seen: 'Auf der Blockchain, noch nicht endgültig',
    final: 'Auf der Blockchain bestätigt',
    mismatch: 'Auf der Blockchain, aber nicht wie freigegeben',
    failed_on_chain: 'Auf der Blockchain fehlgeschlagen: Es wurde nichts gezahlt',
  },
  facts: {
    to: 'Adresse',
    asset: 'Asset',
    issuer: 'Herausgeber',
    contract: 'Vertrag',
    amount: 'Betrag',
    memo: 'Memo',
    time: 'älter als die Anfrage',
    claimed: 'für eine andere Anfrage gezahlt',
  },
  view: 'ansehen',
};
