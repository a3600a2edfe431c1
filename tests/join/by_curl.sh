#!/usr/bin/env bash
# A whole join by curl and openssl alone, written from docs/protocol.md: by_curl.sh FOLDER FOUNDER_KEY
# JOIN_PORT ADMIN_PORT CODE TOKEN_FILE INVENTORY_FILE. Prints the pairing code that this side worked
# out, then "approved", then the name in node.yaml, then "joined".
set -euo pipefail
folder=$1 founder=$2 join_port=$3 admin_port=$4 code=$5 token_file=$6 inventory=$7
cd "$folder"

sha256_hex() { openssl dgst -sha256 -r | cut -d' ' -f1; }
bytes() { printf '%s' "$1" | sed 's/../\\x&/g' | xargs -0 printf '%b'; }
hmac_hex() { openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -r | cut -d' ' -f1; }
member() { sed -nE "s/.*\"$1\":\"([^\"]*)\".*/\1/p"; }

# Our key, its fingerprint, and the pin in the form that curl takes.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365000 -subj /CN=by-hand \
    -keyout key.pem -out cert.pem 2> openssl.log
joiner=$(openssl x509 -in cert.pem -noout -pubkey | openssl pkey -pubin -outform DER | sha256_hex)
pin="sha256//$(bytes "$founder" | base64)"

# Each answer stays in answers/ as three files, N.call, N.head and N.body, for who reads them later.
mkdir answers
call() { # LISTENER PORT METHOD PATH BODY-FILE CURL-OPTION...
    local listener=$1 port=$2 method=$3 path=$4 body=$5 n
    shift 5
    n=answers/$(find answers -name '*.call' | wc -l)
    echo "$listener $method $path $body" > "$n.call"
    curl -sS --max-time 60 -k --pinnedpubkey "$pin" -X "$method" -D "$n.head" -o "$n.body" \
        ${body:+-H 'Content-Type: application/json' --data-binary "@$body"} "$@" \
        "https://127.0.0.1:$port$path"
    cat "$n.body"
}
joiner_call() { # METHOD PATH [BODY-FILE]
    call join "$join_port" "$1" "/v1/join/registrations$2" "${3:-}" --cert cert.pem --key key.pem
}
admin_call() { # METHOD PATH [BODY-FILE]
    call admin "$admin_port" "$1" "/v1/admin/cluster$2" "${3:-}" -H "$(cat "$token_file")"
}

# Registration.
plain=$(printf '%s' "$code" | tr -d -- '- ')
K=$( (printf 'stratum-join-code-v1\0'; printf '%s' "$plain") | sha256_hex)
code_id=$( (printf 'stratum-join-code-id-v1\0'; printf '%s' "$plain") | sha256_hex | cut -c1-8)
nonce=$(openssl rand -hex 32)
commitment=$( (printf 'stratum-pairing-commit-v1\0'; bytes "$nonce$joiner") | sha256_hex)
proof=$( (printf 'stratum-code-joiner-v1\0'; bytes "$founder$joiner$commitment") | hmac_hex "$K")
cat > registration.json <<END
{"codeId": "$code_id", "codeProof": "$proof", "release": "0.6.0", "commitment": "$commitment"}
END
answer=$(joiner_call POST "" registration.json)
id=$(member id <<< "$answer")
founder_nonce=$(member founderNonce <<< "$answer")
[ -n "$id" ] || { echo "not registered: $answer" >&2; exit 1; }

# The founder must have proved the code, too.
expected=$( (printf 'stratum-code-founder-v1\0'; bytes "$founder$joiner$commitment$founder_nonce"
    printf '%s' "$id") | hmac_hex "$K")
[ "$(member founderProof <<< "$answer")" = "$expected" ] || { echo "wrong founderProof" >&2; exit 1; }

# Reveal, and the pairing code.
(printf '{"nonce": "%s", "inventory": ' "$nonce"; cat "$inventory"; printf '}') > reveal.json
joiner_call POST "/$id/reveal" reveal.json > view.json
digest=$( (printf 'stratum-pairing-v1\0'; bytes "$founder$joiner$nonce$founder_nonce"
    printf '%s' "$id") | sha256_hex)
modulus=729000000 # 30^6
number=$(( (0x${digest:0:8} * (4294967296 % modulus) + 0x${digest:8:8}) % modulus ))
alphabet=23456789ABCDEFGHJKMNPQRSTVWXYZ
digits=
for _ in 1 2 3 4 5 6; do
    digits=${alphabet:number % 30:1}$digits
    number=$((number / 30))
done
pairing=${digits:0:3}-${digits:3}
echo "$pairing"

# A person approves: here the same script, with the admin's token.
cat > approval.json <<END
{"pairingCode": "$pairing", "assignment": {"name": "by-curl",
  "mgmt": {"interface": "enp1s0", "address": "10.77.0.50"}, "links": [
  {"name": "data", "interface": "enp2s0", "purposes": ["storage", "overlay"]}]}}
END
admin_call POST "/joins/$id/approve" approval.json > approved.json
echo "$(sed -nE 's/^\{"id":"[^"]*","state":"([^"]*)".*/\1/p' approved.json)"
grep -q approved approved.json || { cat approved.json >&2; exit 1; }

# Wait for the delivery, fetch it, check it against the hashes of the view.
for _ in $(seq 60); do
    joiner_call GET "/$id" > view.json
    [ "$(member state < view.json)" != delivering ] || break
    sleep 0.5
done
joiner_call GET "/$id/node.yaml" > node.yaml
joiner_call GET "/$id/bundle" > bundle.tar
[ "$(sha256_hex < node.yaml)" = "$(member nodeYamlSha256 < view.json)" ] || exit 1
[ "$(sha256_hex < bundle.tar)" = "$(member bundleSha256 < view.json)" ] || exit 1
tar -xOf bundle.tar bundle.json > bundle.json
grep -owm1 by-curl node.yaml

# Report, and be a member.
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
cat > progress.json <<END
{"attempt": 1, "steps": [{"name": "by-hand", "status": "done", "finishedAt": "$now"}],
 "log": [{"seq": 1, "at": "$now", "line": "done by hand"}], "result": "joined"}
END
joiner_call POST "/$id/progress" progress.json > progress-answer.json
joiner_call GET "/$id" | member state
