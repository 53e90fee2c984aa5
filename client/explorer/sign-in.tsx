import { useState, type SubmitEvent } from "react";
import { sendOperation } from "./send-operation.ts";
import { readSiteToken } from "./token.ts";

const LOGIN = "mutation ($input: LoginInput!) { login(input: $input) { token } }";

type Props = { token: string; onToken: (token: string) => void };

/** Signs in beside GraphiQL, whose history would keep the password. */
export function SignIn({ token, onToken }: Props) {
  const [message, setMessage] = useState("");
  const siteToken = readSiteToken();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const input = Object.fromEntries(new FormData(form));
    const { data, errors } = await sendOperation({ query: LOGIN, variables: { input } }).catch(
      () =>
        ({ errors: [{ message: "The server cannot be reached" }] }) as Awaited<
          ReturnType<typeof sendOperation>
        >,
    );
    setMessage(errors?.[0]?.message ?? "");
    const { token: fresh } = (data?.["login"] ?? {}) as { token?: string };
    if (!fresh) return;
    onToken(fresh);
    form.reset();
    form.closest("details")?.removeAttribute("open");
  };
  return (
    <details className="sign-in">
      <summary>{token ? "Signed in" : "Sign in"}</summary>
      <div>
        {siteToken && siteToken !== token && (
          <button type="button" onClick={() => onToken(siteToken)}>
            Use my sign-in of the blog
          </button>
        )}
        <form onSubmit={(event) => void submit(event)}>
          <label>
            Email
            <input name="email" type="email" autoComplete="username" required />
          </label>
          <label>
            Password
            <input name="password" type="password" autoComplete="current-password" required />
          </label>
          <p role="alert">{message}</p>
          <button type="submit">Sign in</button>
        </form>
        <label>
          Token
          <input
            type="password"
            autoComplete="off"
            placeholder="of a login"
            value={token}
            onChange={({ target }) => onToken(target.value.trim())}
          />
        </label>
        {token && (
          <button type="button" onClick={() => onToken("")}>
            Forget the token
          </button>
        )}
      </div>
    </details>
  );
}
