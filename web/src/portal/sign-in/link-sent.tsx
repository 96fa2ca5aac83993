import { signInTexts } from '../../texts/portal/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { ForeignText } from '../../ui/foreign-text.tsx';
import { Page } from '../../ui/page.tsx';

const texts = signInTexts.sent;

interface LinkSentProps {
  email: string;
  onAgain(): void;
  onResend(): void;
}

export function LinkSent({ email, onAgain, onResend }: LinkSentProps) {
  return (
    <Page title={texts.title}>
      <p>
        {texts.body}{' '}
        <strong>
          <ForeignText inline>{email}</ForeignText>
        </strong>
      </p>
      <p className="soft">{texts.hint}</p>
      <div className="row">
        <Button onClick={onResend}>{texts.resend}</Button>
        <Button kind="plain" onClick={onAgain}>
          {texts.again}
        </Button>
      </div>
    </Page>
  );
}
