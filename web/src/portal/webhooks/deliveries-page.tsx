import { useState } from 'react';
import { deliveries as texts } from '../../texts/portal/webhooks.ts';
import { SelectField } from '../../ui/fields.tsx';
import { showHidden } from '../../ui/hidden-characters.ts';
import { Page } from '../../ui/page.tsx';
import { DeliveryHealth } from './delivery-health.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { useEndpoints } from './endpoints-page.tsx';

export function DeliveriesPage() {
  const endpoints = useEndpoints();
  const [endpointId, setEndpointId] = useState('');
  const choices = [
    { value: '', label: texts.anyEndpoint },
    ...(endpoints.data ?? []).map((endpoint) => ({
      value: endpoint.webhook_endpoint_id,
      label: showHidden(endpoint.url),
    })),
  ];
  return (
    <Page title={texts.title}>
      <div className="filter">
        <SelectField
          label={texts.endpoint}
          choices={choices}
          value={endpointId}
          onChange={(event) => setEndpointId(event.currentTarget.value)}
        />
      </div>
      {endpointId === '' ? null : <DeliveryHealth endpointId={endpointId} />}
      <DeliveryList endpointId={endpointId === '' ? undefined : endpointId} />
    </Page>
  );
}
