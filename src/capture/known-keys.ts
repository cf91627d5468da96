/**
 * Keys and tokens that have a known prefix, or a known part: those of the vendors whose keys people paste, as
 * documented by the vendors and detected by secret scanners.
 *
 * https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns,
 * https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml
 */
export interface KnownKey {
  /** The key contains one of these literally. */
  readonly marks: readonly string[];
  /** The part of the key before the mark; null if a key begins with its mark. At most `BEFORE_MAX` characters. */
  readonly before: RegExp | null;
  /** The part after the mark; sticky, so that it is tried at one position only. */
  readonly rest: RegExp;
  /** How much of `rest` belongs to the key; 0 if it is not a key. Null for all of it. */
  readonly lengthOf: ((rest: string) => number) | null;
}

export const BEFORE_MAX = 40;

function beginsWith(marks: readonly string[], rest: RegExp, lengthOf: KnownKey['lengthOf'] = null): KnownKey {
  return { marks, before: null, rest, lengthOf };
}

function isAround(marks: readonly string[], before: RegExp, rest: RegExp): KnownKey {
  return { marks, before, rest, lengthOf: null };
}

const PART_LENGTH_MIN = 10;

/** The length of `count` parts with dots between them. */
function ofParts(count: number): (rest: string) => number {
  return (rest) => {
    const parts = rest.split('.', count);
    return parts.length === count && parts.every((part) => part.length >= PART_LENGTH_MIN) ? parts.join('.').length : 0;
  };
}

export const KNOWN_KEYS: readonly KnownKey[] = [
  // OpenAI, Anthropic, OpenRouter, DeepSeek, LangFuse and Turnpike.
  beginsWith(['sk-'], /[\w-]{16,400}/y),
  // Groq, xAI, Hugging Face, Perplexity, Replicate, Fireworks, Cerebras, NVIDIA, Tavily, Together, Pinecone, LangSmith.
  beginsWith(['gsk_', 'xai-', 'hf_', 'pplx-', 'r8_', 'fw_', 'csk-', 'nvapi-', 'tvly-'], /[\w-]{22,200}/y),
  beginsWith(['tgp_v1_', 'pcsk_', 'lsv2_pt_', 'lsv2_sk_'], /[\w-]{32,200}/y),
  // ElevenLabs.
  beginsWith(['sk_'], /[0-9a-f]{40,64}\b/y),
  // Google: API keys, access and refresh tokens, client secrets.
  beginsWith(['AIza'], /[\w-]{30,60}/y),
  beginsWith(['ya29.', '1//0'], /[\w.-]{20,1000}/y),
  beginsWith(['GOCSPX-'], /[\w-]{20,60}/y),
  // AWS, Alibaba, Tencent: the ids of keys.
  beginsWith(['AKIA', 'ASIA', 'ABIA', 'ACCA'], /[0-9A-Z]{16}\b/y),
  beginsWith(['LTAI'], /[0-9A-Za-z]{20}\b/y),
  beginsWith(['AKID'], /[0-9A-Za-z]{32}\b/y),
  // Azure: a client secret.
  isAround(['Q~'], /[\w~.]{3}\d$/, /[\w~.-]{31,34}/y),
  // GitHub, GitLab, Atlassian, Bitbucket.
  beginsWith(['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'], /\w{30,300}/y),
  beginsWith(['glpat-', 'gldt-', 'glrt-', 'glrtr-', 'glft-', 'glsoat-', 'glptt-'], /[\w.-]{16,300}/y),
  beginsWith(['glcbt-', 'glimt-', 'glagent-', 'gloas-', 'glffct-', 'GR1348941'], /[\w.-]{16,300}/y),
  beginsWith(['ATATT3', 'ATCTT3', 'ATBB'], /[\w=-]{24,300}/y),
  // Packages and images: npm, PyPI, RubyGems, Docker, Artifactory.
  beginsWith(['npm_'], /[0-9A-Za-z]{36,100}/y),
  beginsWith(['pypi-'], /[\w-]{50,1000}/y),
  beginsWith(['rubygems_'], /[0-9a-f]{48}/y),
  beginsWith(['dckr_pat_', 'dckr_oat_'], /[\w-]{27,64}/y),
  beginsWith(['AKCp', 'cmVmd'], /[0-9A-Za-z]{59,69}/y),
  // Slack, Telegram.
  beginsWith(['xoxa-', 'xoxb-', 'xoxe-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxe.', 'xapp-'], /[\w.-]{10,300}/y),
  isAround([':AA'], /\d{8,10}$/, /[\w-]{32,36}/y),
  // Stripe, Square, Shopify.
  beginsWith(['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'pk_live_', 'pk_test_', 'whsec_'], /\w{16,300}/y),
  beginsWith(['sq0atp-', 'sq0csp-'], /[\w-]{22,60}/y),
  beginsWith(['shpat_', 'shpss_', 'shpca_', 'shppa_'], /[0-9A-Za-z]{32,64}/y),
  // Mail and messages: SendGrid, Mailgun, Mailchimp, Twilio.
  beginsWith(['SG.'], /[\w-]{16,64}\.[\w-]{16,128}/y),
  beginsWith(['key-'], /[0-9a-f]{32}\b/y),
  isAround(['-us'], /[0-9a-f]{32}$/, /\d{1,2}\b/y),
  beginsWith(['SK'], /[0-9a-f]{32}\b/y),
  // HashiCorp: Vault, Terraform.
  beginsWith(['hvs.', 'hvb.', 'hvr.'], /[\w-]{24,400}/y),
  isAround(['.atlasv1.'], /[0-9A-Za-z]{14}$/, /[\w-]{60,70}/y),
  // Clouds: DigitalOcean, Databricks, Heroku, Netlify, Fly, Supabase, PlanetScale, Cloudflare, Tailscale, Pulumi.
  beginsWith(['dop_v1_', 'doo_v1_', 'dor_v1_'], /[0-9a-f]{64}/y),
  beginsWith(['dapi'], /[0-9a-f]{32}\b/y),
  beginsWith(['HRKU-'], /[\w-]{36,80}/y),
  beginsWith(['nfp_'], /\w{36,60}/y),
  beginsWith(['fm2_', 'fo1_'], /[\w+/=,-]{40,2000}/y),
  beginsWith(['sbp_', 'sb_secret_'], /[\w-]{20,80}/y),
  beginsWith(['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], /[\w.=-]{32,64}/y),
  beginsWith(['v1.0-'], /[0-9a-f]{24}-[0-9a-f]{146}/y),
  beginsWith(['tskey-'], /[\w-]{20,100}/y),
  beginsWith(['pul-'], /[0-9a-f]{40}\b/y),
  // Monitoring and CI: Grafana, New Relic, Sentry, Dynatrace, Buildkite, CircleCI, Doppler, Postman.
  beginsWith(['glc_', 'glsa_', 'sntrys_', 'sntryu_'], /[\w+/=-]{32,400}/y),
  beginsWith(['NRAK-', 'NRJS-', 'NRAA-'], /[0-9A-Za-z-]{19,64}/y),
  beginsWith(['dt0c01.', 'dt0s01.'], /[0-9A-Z]{24}\.[0-9A-Z]{64}/y),
  beginsWith(['bkua_', 'CCIPAT_'], /\w{38,80}/y),
  beginsWith(['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'], /[\w.-]{40,100}/y),
  beginsWith(['PMAK-'], /[0-9a-f]{24}-[0-9a-f]{34}/y),
  // Productivity and others: Notion, Linear, Figma, Airtable, Dropbox, Facebook, Mapbox.
  beginsWith(['ntn_', 'secret_'], /[0-9A-Za-z]{40,60}\b/y),
  beginsWith(['lin_api_', 'lin_oauth_'], /\w{32,100}/y),
  beginsWith(['figd_'], /[\w-]{30,80}/y),
  beginsWith(['pat'], /[0-9A-Za-z]{14}\.[0-9a-f]{64}\b/y),
  beginsWith(['sl.'], /[\w-]{120,2000}/y),
  beginsWith(['EAA'], /[0-9A-Za-z]{90,400}/y),
  beginsWith(['sk.eyJ'], /[\w.-]{40,600}/y, ofParts(2)),
  // 1Password, age.
  beginsWith(['ops_eyJ'], /[\w+/=-]{40,2000}/y),
  beginsWith(['AGE-SECRET-KEY-1'], /[0-9A-Z]{58}/y),
  // https://www.rfc-editor.org/rfc/rfc7519
  beginsWith(['eyJ'], /[\w.-]{32,14000}/y, ofParts(3)),
  // URLs that are secrets: anyone who has one can post.
  beginsWith(['hooks.slack.com', 'hooks.slack-gov.com'], /(?:(?:\\?\/|%2f)[\w-]{1,60}){3,6}/iy),
  beginsWith(['discord.com', 'discordapp.com'], /(?:\\?\/|%2f)api(?:(?:\\?\/|%2f)[\w-]{1,100}){3,4}/iy),
  beginsWith(['webhook.office.com'], /(?:(?:\\?\/|%2f)[\w@-]{1,100}){3,8}/iy),
];

/** Longer marks first: `sk_live_` before `sk_`. */
const MARKS = KNOWN_KEYS.flatMap(({ marks }) => marks).toSorted((one, other) => other.length - one.length);
export const MARK = new RegExp(MARKS.map((mark) => RegExp.escape(mark)).join('|'), 'g');
export const KEYS_BY_MARK: ReadonlyMap<string, KnownKey> = new Map(
  KNOWN_KEYS.flatMap((known) => known.marks.map((mark) => [mark, known])),
);
