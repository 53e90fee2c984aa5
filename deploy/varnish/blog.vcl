# Varnish 7 between the proxy that terminates TLS and the blog: /etc/varnish/default.vcl. It needs the module xkey, which Debian
# and Ubuntu have in the package varnish-modules. Replace the token, then let the proxy use Varnish's port, and start the blog with
# CDN_MAX_AGE=600 CDN_PURGE_URL=http://127.0.0.1:6081/purge CDN_PURGE_TOKEN=(the token) TRUST_PROXY=2

vcl 4.1;

import xkey;

backend blog {
    .host = "127.0.0.1";
    .port = "4000";
    .first_byte_timeout = 75s;
}

# Where the proxy and the blog run. The blog believes the client addresses that they name, so nobody else may name any: Debian's
# Varnish listens on all addresses.
acl known {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (client.ip !~ known) {
        return (synth(403));
    }
    # Requests of visitors come from a known address, too.
    if (req.method == "POST" && req.url == "/purge") {
        if (req.http.Authorization != "Bearer replace-this-token") {
            return (synth(403));
        }
        set req.http.X-Purged = xkey.purge(req.http.Surrogate-Key);
        return (synth(200, "Purged " + req.http.X-Purged));
    }
    # Otherwise others wait for a fetch that the blog serves in the turn of the visitor who began it.
    set req.hash_ignore_busy = true;
    # The blog reads no cookies. Others of the same host would bypass the cache.
    unset req.http.Cookie;
    # Of a part of a HEAD request Varnish sends no byte, and closes the connection, which a proxy may be using again.
    if (req.method != "GET") {
        unset req.http.Range;
    }
    # Responses vary by these headers: with CORS_ORIGINS all of them by Origin, which browsers send to other sites only, and those
    # of the APIs by the others. Each value would be one more variant of a URL, and a lookup reads them one by one.
    if (req.http.Origin) {
        return (pass);
    }
    if (req.url ~ "^/+(api|graphql|[^/?]*%)" && (req.method == "GET" || req.method == "HEAD")) {
        if ((req.http.Content-Type && req.http.Content-Type != "application/json")
            || (req.http.X-GraphQL-Cost && req.http.X-GraphQL-Cost != "1")
            || (req.http.Accept && req.http.Accept !~ "^(\*/\*|application/json(, \*/\*|, text/plain, \*/\*)?|application/graphql-response\+json(, ?application/json;q=0\.9)?)$")) {
            return (pass);
        }
    }
}

sub vcl_backend_response {
    # Varnish itself reads the time from Cache-Control. The blog marks all other responses as private.
    set beresp.http.xkey = beresp.http.Surrogate-Key;
}

sub vcl_deliver {
    unset resp.http.xkey;
    unset resp.http.Surrogate-Key;
    unset resp.http.Cache-Tag;
    # No cache between here and the browser is purged.
    if (resp.http.Cache-Control ~ "s-maxage") {
        set resp.http.Cache-Control = "no-cache";
    }
}
