import { join } from 'node:path';
import { type Config, describeDatabase } from '../config/index.ts';
import { VERSION } from '../lib/version.ts';

/** What a person wants to know once the service runs. */
export function banner(config: Config): string {
  const database =
    config.database.kind === 'embedded'
      ? `embedded PostgreSQL in ${config.dataDir}`
      : describeDatabase(config);
  const mail = config.smtpUrl ? 'sent by SMTP' : `written to ${join(config.dataDir, 'mail')}`;
  const networks = config.enabledNetworks.join(', ');
  const lines = [
    '',
    `  PayAssent ${VERSION}`,
    '',
    `  Address    ${config.baseUrl}`,
    `  Reference  ${config.baseUrl}/docs`,
    `  Database   ${database}`,
    `  Mail       ${mail}`,
    `  Networks   ${networks}`,
    ...(config.enabledNetworks.some((network) => network !== 'stellar_testnet')
      ? ['             real money: these networks were enabled by this installation']
      : []),
    ...config.warnings.map((warning) => `  Warning    ${warning}`),
    '',
    `  Try        curl ${config.baseUrl}/health`,
    `             curl -X POST ${config.baseUrl}/v1/merchant-accounts/registrations \\`,
    `               -H 'content-type: application/json' -d '{"email":"you@shop.example"}'`,
    '',
  ];
  return lines.join('\n');
}
