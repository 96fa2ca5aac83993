import { translated } from '../language.ts';

/** Names that a customer gives to agents and devices. */
export const nicknames = translated('nicknames', {
  yours: 'Your name for it:',
  add: 'Add your own name',
  edit: 'Change your name for it',
  label: (trueName: string) => `Your name for ${trueName}`,
  hint: 'Kept in this browser only, and always shown with the real name. Leave it empty to remove it.',
  invalid:
    'Use letters, digits, spaces and hyphens, at most 40, without dots, amounts or words such as “verified”.',
  save: 'Save',
  cancel: 'Cancel',
});
