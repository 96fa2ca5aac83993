/** Texts that portal and wallet share. */
export const common = {
  cancel: 'Cancel',
  close: 'Close',
  loading: 'Loading …',
  tryAgain: 'Try again',
  copy: {
    action: 'Copy',
    label: (name: string) => `Copy ${name}`,
    copied: 'Copied.',
    refused: 'Copying is not allowed here: select the text and copy it.',
    shownOnce: (name: string) => `${name}: shown only now. Keep it in a safe place before you go on.`,
  },
  theme: { dark: 'Dark', light: 'Light' },
  errors: {
    reference: 'Reference for the operator:',
    tryAgain: 'Try again in a moment.',
    unreachable: 'The service cannot be reached.',
    checkConnection: 'Check your connection and try again. Nothing is lost.',
    unexpected: 'This page met something unexpected.',
    reload: 'Reload the page. If it happens again, tell the operator what you did.',
    reloadNow: 'Reload',
    brokenTitle: 'Something went wrong',
  },
} as const;
