"""CDP WebAuthn domain: virtual authenticators and their passkeys."""

import attrs

from charlotte.protocol.wire import CdpEvent, Command, Nothing


@attrs.frozen(kw_only=True)
class Passkey:
    """A credential of an authenticator; ids and keys are base64."""

    credential_id: str
    is_resident_credential: bool
    private_key: str = attrs.field(repr=False)
    sign_count: int
    rp_id: str | None = None
    user_handle: str | None = None
    user_name: str | None = None
    user_display_name: str | None = None
    large_blob: str | None = attrs.field(default=None, repr=False)
    backup_eligibility: bool | None = None
    backup_state: bool | None = None


@attrs.frozen(kw_only=True)
class AuthenticatorOptions:
    """An authenticator that is part of the device, and whose user is always present."""

    protocol: str = "ctap2"
    ctap2_version: str = "ctap2_1"
    transport: str = "internal"
    has_resident_key: bool = True
    has_user_verification: bool = True
    is_user_verified: bool = True
    automatic_presence_simulation: bool = True


class EnableWebAuthn(Command[Nothing], method="WebAuthn.enable"):
    """Use virtual authenticators instead of those of the system."""


class AddVirtualAuthenticator(
    Command[str], method="WebAuthn.addVirtualAuthenticator", result="authenticatorId"
):
    """Add an authenticator to a page; returns its id."""

    options: AuthenticatorOptions


class AddCredential(Command[Nothing], method="WebAuthn.addCredential"):
    """Add a passkey to an authenticator."""

    authenticator_id: str
    credential: Passkey


class RemoveCredential(Command[Nothing], method="WebAuthn.removeCredential"):
    """Remove a passkey from an authenticator."""

    authenticator_id: str
    credential_id: str


class CredentialAdded(CdpEvent, method="WebAuthn.credentialAdded"):
    """An authenticator has a new passkey."""

    authenticator_id: str
    credential: Passkey


class CredentialAsserted(CdpEvent, method="WebAuthn.credentialAsserted"):
    """A page has signed in with a passkey, whose count is higher now."""

    authenticator_id: str
    credential: Passkey
