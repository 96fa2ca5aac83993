{{- define "payassent.pod" -}}
automountServiceAccountToken: false
terminationGracePeriodSeconds: 45
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: secrets
    secret: { secretName: {{ .Values.existingSecret }}, defaultMode: 0440 }
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
{{- end }}

{{- define "payassent.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: secrets, mountPath: /run/secrets, readOnly: true }
  - { name: data, mountPath: /var/lib/payassent }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "payassent.env" -}}
- { name: SVC_BASE_URL, value: {{ .Values.baseUrl | quote }} }
- { name: SVC_TRUSTED_PROXIES, value: {{ .Values.trustedProxies | quote }} }
- { name: SVC_MAIL_FROM, value: {{ .Values.mailFrom | quote }} }
- { name: SVC_SMTP_URL_FILE, value: /run/secrets/smtp_url }
- { name: SVC_METRICS_TOKEN_FILE, value: /run/secrets/metrics_token }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
