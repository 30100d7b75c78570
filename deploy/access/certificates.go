package access

import (
	"bytes"
	"text/template"
)

// certificatesFile is where production has its broker's users' certificates made.
const certificatesFile = "k8s/overlays/production/certificates-of-users.yaml"

var certificates = template.Must(template.New("certificates").Parse(`# Generated from deploy/access by make generate; change it there. What each user shows
# the broker, by the authority of certificates.yaml.
{{- range $i, $p := .}}
{{- if $i}}
---
{{- end}}
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: {{.Name}}
spec:
  commonName: {{.Name}}
  secretName: boardorder-{{.Name}}-tls
  duration: 2160h
  renewBefore: 720h
  privateKey: {algorithm: ECDSA, size: 256, rotationPolicy: Always}
  usages: [digital signature, client auth]
  issuerRef: {name: authority}
{{- end}}
`))

// Certificates writes a certificate for each user of the broker, as cert-manager reads it.
func Certificates() []byte {
	var out bytes.Buffer
	if err := certificates.Execute(&out, Programs()); err != nil {
		panic(err) // strings only
	}
	return out.Bytes()
}
