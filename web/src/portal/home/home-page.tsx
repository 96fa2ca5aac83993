import { homeTexts } from '../../texts/portal/home.ts';
import { Page } from '../../ui/page.tsx';
import { HomeCharts } from './charts.tsx';
import { Money } from './money.tsx';
import { SetupSteps } from './setup-steps.tsx';

export function HomePage() {
  return (
    <Page title={homeTexts.title}>
      <SetupSteps />
      <Money />
      <HomeCharts />
    </Page>
  );
}
