import type * as english from '../../portal/organization.ts';
import type { Translated } from '../translated.ts';

export const organizationTexts: Translated<typeof english.organizationTexts> = {
  title: 'Organisation',
  facts: 'Angaben',
  id: 'Kennung',
  status: 'Status',
  active: 'Aktiv',
  pending: 'Einrichtung nicht abgeschlossen: Domain nachweisen',
  since: 'Erstellt',
  name: {
    title: 'Name',
    label: 'Name der Organisation',
    hint: 'Kunden sehen ihn in ihren Wallets neben Ihrer Domain. Vorhandene Zahlungsanfragen behalten den Namen, mit dem sie gestellt wurden.',
    save: 'Namen speichern',
    saved: 'Der Name ist gespeichert.',
  },
  payeeRecords: {
    title: 'Einträge für Zahlungsempfänger',
    optional:
      'Ihre Domain muss Ihre Zahlungsempfänger nicht nennen. Wer die E-Mails eines Teammitglieds liest, könnte unter Ihrer Domain einen anderen Zahlungsempfänger hinzufügen. Veröffentlichen Sie den Eintrag eines Zahlungsempfängers, den seine Seite zeigt, bevor Sie ihn prüfen.',
    required:
      'Ihre Domain muss jeden Zahlungsempfänger nennen: Ein Zahlungsempfänger wird nur bestätigt, wenn sein Eintrag veröffentlicht ist. Das lässt sich nicht abschalten, auch nicht von jemandem, der Ihre E-Mails liest.',
    require: {
      action: 'Einträge verlangen',
      title: 'Einen Eintrag für jeden Zahlungsempfänger verlangen?',
      text: 'Ab jetzt wird ein Zahlungsempfänger nur bestätigt, wenn Ihre Domain seinen Eintrag veröffentlicht. Aktive Zahlungsempfänger bleiben aktiv. Das lässt sich nicht zurücknehmen.',
      confirm: 'Endgültig verlangen',
    },
  },
  fourEyes: {
    title: 'Zwei Inhaber für wichtige Änderungen',
    on: 'Das Aktivieren und Archivieren von Zahlungsempfängern, das Löschen von Domains und Änderungen am Team brauchen einen zweiten Inhaber. Das gilt auch für das Abschalten.',
    off: 'Ein Inhaber allein kann Zahlungsempfänger aktivieren und archivieren, Domains löschen und das Team ändern. Um einen zweiten zu verlangen, braucht es zwei aktive Inhaber.',
    require: {
      action: 'Zwei Inhaber verlangen',
      title: 'Zwei Inhaber verlangen?',
      text: 'Ab jetzt müssen solche Änderungen innerhalb von 24 Stunden von einem anderen Inhaber genehmigt werden. Das gilt auch für das Abschalten.',
      confirm: 'Zwei Inhaber verlangen',
    },
    lift: {
      action: 'Abschalten beantragen',
      title: 'Das Abschalten beantragen?',
      text: 'Es ändert sich nichts, bis ein anderer Inhaber zustimmt.',
      confirm: 'Beantragen',
    },
  },
  sessions: {
    title: 'Ihre Sitzungen',
    lead: 'Sie sind höchstens bis zu diesem Zeitpunkt angemeldet:',
    everywhere: {
      action: 'Überall abmelden',
      title: 'Überall abmelden?',
      text: 'Alle Ihre Sitzungen enden sofort, in allen Browsern und allen Ihren Organisationen, mit den Admin-Sitzungen, die sie erstellt haben. API-Schlüssel, die Sie mit einer Admin-Sitzung oder in den letzten 24 Stunden erstellt haben, enden auch: Nach einem Diebstahl sind sie vielleicht nicht von Ihnen. Agenten, Webhooks und ältere API-Schlüssel funktionieren weiter.',
      confirm: 'Überall abmelden',
    },
  },
};
