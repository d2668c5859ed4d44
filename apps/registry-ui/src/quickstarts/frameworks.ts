import {
  type Application,
  firstRedirectUri,
  sendsSecret,
  lines,
  quoted,
  signsIn,
  pkceMethod,
} from './application.js';

/** `application.yaml` of Spring Boot. */
export function spring(application: Application): string {
  const { client, issuer } = application;
  const grant = signsIn(application) ? 'authorization_code' : 'client_credentials';
  return lines(
    `spring:`,
    `  security:`,
    `    oauth2:`,
    `      client:`,
    `        registration:`,
    `          registry:`,
    `            client-id: ${quoted(client.client_id)}`,
    sendsSecret(application) && '            client-secret: ${CLIENT_SECRET}',
    `            client-authentication-method: ${quoted(client.token_endpoint_auth_method)}`,
    `            authorization-grant-type: ${grant}`,
    signsIn(application) && `            redirect-uri: ${quoted(firstRedirectUri(application))}`,
    signsIn(application) && `            scope: openid`,
    `        provider:`,
    `          registry:`,
    `            issuer-uri: ${quoted(issuer)}`,
  );
}

/** Views of Django, with Authlib. */
export function django(application: Application): string {
  const { client, issuer } = application;
  return lines(
    `# pip install authlib requests`,
    sendsSecret(application) && `import os`,
    sendsSecret(application) && ``,
    `from authlib.integrations.django_client import OAuth`,
    `from django.http import JsonResponse`,
    ``,
    `oauth = OAuth()`,
    `oauth.register(`,
    `    "registry",`,
    `    client_id=${quoted(client.client_id)},`,
    sendsSecret(application) && `    client_secret=os.environ["CLIENT_SECRET"],`,
    `    server_metadata_url=${quoted(`${withoutSlash(issuer)}/.well-known/openid-configuration`)},`,
    `    client_kwargs={`,
    `        "scope": "openid",`,
    `        "token_endpoint_auth_method": ${quoted(client.token_endpoint_auth_method)},`,
    pkceMethod(application) === 'S256' && `        "code_challenge_method": "S256",`,
    `    },`,
    `)`,
    ``,
    `def sign_in(request):`,
    `    return oauth.registry.authorize_redirect(request, ${quoted(firstRedirectUri(application))})`,
    ``,
    `def signed_in(request):  # the view at the redirect URI`,
    `    token = oauth.registry.authorize_access_token(request)`,
    `    return JsonResponse(token["userinfo"])`,
  );
}

/** `Program.cs` of ASP.NET Core. */
export function aspNet(application: Application): string {
  const { client, issuer } = application;
  const redirectUri = firstRedirectUri(application);
  const path = URL.canParse(redirectUri) ? new URL(redirectUri).pathname : '/';
  return lines(
    `// dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect`,
    `builder.Services`,
    `    .AddAuthentication(options =>`,
    `    {`,
    `        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;`,
    `        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;`,
    `    })`,
    `    .AddCookie()`,
    `    .AddOpenIdConnect(options =>`,
    `    {`,
    `        options.Authority = ${quoted(issuer)};`,
    `        options.ClientId = ${quoted(client.client_id)};`,
    sendsSecret(application) && `        options.ClientSecret = builder.Configuration["CLIENT_SECRET"];`,
    `        options.ResponseType = OpenIdConnectResponseType.Code;`,
    `        options.ResponseMode = OpenIdConnectResponseMode.Query;`,
    `        options.UsePkce = ${String(pkceMethod(application) === 'S256')};`,
    `        options.CallbackPath = ${quoted(path)};`,
    `        options.Scope.Clear();`,
    `        options.Scope.Add("openid");`,
    `    });`,
  );
}

export function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '');
}
