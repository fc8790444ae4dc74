type Environment = Readonly<Record<string, string | undefined>>;

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];

/** A password with a sign that is no escape, such as `100%`, is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Users and passwords of proxies: as they stand in the variables, as they are meant, and as a header has them. */
function ofProxies(env: Environment): string[] {
  return proxyVariables.flatMap((name) => {
    const address = env[name.toLowerCase()] ?? env[name] ?? '';
    const [, login = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/]*)@/i.exec(address.trim()) ?? [];
    const [, password = ''] = /^[^:]*:(.*)$/s.exec(login) ?? [];
    const meant = login.split(':').map(decoded).join(':');
    return [login, password, meant, decoded(password), Buffer.from(meant).toString('base64')];
  });
}

/** What must never be shown of an environment, longest first: whatever is part of something longer goes with it. */
export function secretsIn(env: Environment): string[] {
  const key = (env['WELLBENCH_API_KEY'] ?? '').trim();
  const own = [key, key.replace(/^.*\s/s, ''), env['WELLBENCH_PASSWORD'] ?? ''];
  const all = new Set([...own, ...ofProxies(env)].filter((text) => text.length >= 4));
  return [...all].sort((a, b) => b.length - a.length);
}
