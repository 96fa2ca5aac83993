import type * as english from '../../wallet/nicknames.ts';
import type { Translated } from '../translated.ts';

export const nicknames: Translated<typeof english.nicknames> = {
  yours: 'Ihr Name dafür:',
  add: 'Eigenen Namen hinzufügen',
  edit: 'Eigenen Namen ändern',
  label: (trueName) => `Ihr Name für ${trueName}`,
  hint: 'Bleibt in diesem Browser und steht immer neben dem echten Namen. Leer entfernt ihn.',
  invalid:
    'Verwenden Sie höchstens 40 Buchstaben, Ziffern, Leerzeichen und Bindestriche, ohne Punkte, Beträge oder Wörter wie „bestätigt“.',
  save: 'Speichern',
  cancel: 'Abbrechen',
};
