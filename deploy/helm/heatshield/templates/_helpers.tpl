{{- define "heatshield.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "heatshield.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "heatshield.labels" -}}
{{ include "heatshield.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- /* The configuration file: what the chart knows, and over it the values of the user. */ -}}
{{- define "heatshield.config" -}}
{{- $name := include "heatshield.fullname" . -}}
{{- $hosts := list $name (printf "%s.%s" $name .Release.Namespace) (printf "%s.%s.svc" $name .Release.Namespace)
  (printf "%s.%s.svc.cluster.local" $name .Release.Namespace) -}}
{{- $near := ternary "127.0.0.1" "0.0.0.0" (eq .Values.mode "sidecar") -}}
{{- $server := dict
  "http" "0.0.0.0:8080"
  "grpc" (printf "%s:8081" $near)
  "resp" (printf "%s:6380" $near)
  "hosts" (concat $hosts .Values.hosts)
  "state_dir" "/var/lib/heatshield/state"
  "allow_plaintext" (not (dig "server" "tls" "" .Values.config)) -}}
{{- $file := dict "server" $server -}}
{{- with .Values.shield.url -}}
{{- $_ := set $file "shield" (dict "url" .) -}}
{{- end -}}
{{- toYaml (mergeOverwrite $file (deepCopy .Values.config)) -}}
{{- end -}}

{{- define "heatshield.probe" -}}
httpGet:
  path: {{ .path }}
  port: heatshield-http
  {{- if .tls }}
  scheme: HTTPS
  {{- end }}
{{- end -}}

{{- /* The container: of the deployment, and of any pod that takes it as a sidecar. */ -}}
{{- define "heatshield.container" -}}
{{- $tls := dig "server" "tls" "" .Values.config -}}
name: heatshield
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- with .Values.env }}
env:
  {{- toYaml . | nindent 2 }}
{{- end }}
ports:
  - { name: heatshield-resp, containerPort: 6380 }
  - { name: heatshield-http, containerPort: 8080 }
  - { name: heatshield-grpc, containerPort: 8081 }
startupProbe:
  {{- include "heatshield.probe" (dict "path" "/livez" "tls" $tls) | nindent 2 }}
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  {{- include "heatshield.probe" (dict "path" "/livez" "tls" $tls) | nindent 2 }}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  {{- include "heatshield.probe" (dict "path" "/readyz" "tls" $tls) | nindent 2 }}
  periodSeconds: 5
  timeoutSeconds: 3
resources:
  {{- toYaml .Values.resources | nindent 2 }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  readOnlyRootFilesystem: true
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
  seccompProfile: { type: RuntimeDefault }
volumeMounts:
  - { name: heatshield-config, mountPath: /etc/heatshield, readOnly: true }
  - { name: heatshield-state, mountPath: /var/lib/heatshield }
  - { name: heatshield-tmp, mountPath: /tmp }
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- /* The container for the initContainers (sidecar.native) or the containers of another chart's pod. */ -}}
{{- define "heatshield.sidecar" -}}
{{ include "heatshield.container" . }}
{{- if .Values.sidecar.native }}
restartPolicy: Always
{{- end }}
{{- end -}}

{{- /* The volumes that the container mounts. */ -}}
{{- define "heatshield.volumes" -}}
- name: heatshield-config
  configMap: { name: {{ include "heatshield.fullname" . }} }
- name: heatshield-state
  {{- toYaml .Values.state | nindent 2 }}
- name: heatshield-tmp
  emptyDir: { sizeLimit: 64Mi }
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
