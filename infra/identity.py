"""Who may call: a user pool whose tokens carry the tenant."""

from aws_cdk import Duration
from aws_cdk import aws_cognito as cognito
from constructs import Construct

from infra.accepted import accept
from infra.stages import StageConfig


class Identity(Construct):
    """A user pool in which only an administrator makes users, and one client for a public app.

    The ID token's ``custom:tenant_id`` decides the tenant. It is set when a user is made and cannot
    be changed, and the client may not write it: a tenant must not be one profile update away.
    """

    def __init__(self, scope: Construct, id: str, *, stage: StageConfig) -> None:
        super().__init__(scope, id)
        self.user_pool = cognito.UserPool(
            self,
            "Users",
            self_sign_up_enabled=False,
            sign_in_aliases=cognito.SignInAliases(email=True),
            auto_verify=cognito.AutoVerifiedAttrs(email=True),
            account_recovery=cognito.AccountRecovery.EMAIL_ONLY,
            custom_attributes={"tenant_id": cognito.StringAttribute(min_len=1, max_len=128, mutable=False)},
            password_policy=cognito.PasswordPolicy(
                min_length=12,
                require_lowercase=True,
                require_uppercase=True,
                require_digits=True,
                require_symbols=True,
            ),
            mfa=cognito.Mfa.OPTIONAL,
            mfa_second_factor=cognito.MfaSecondFactor(otp=True, sms=False),
            deletion_protection=stage.deletion_protection,
            removal_policy=stage.removal_policy,
        )
        accept(self.user_pool, "Users may turn it on; to require it is the operator's decision.", "COG2")
        accept(self.user_pool, "Threat protection is billed by user: the operator's decision.", "COG8")
        self.client = self.user_pool.add_client(
            "Client",
            # The password itself never travels, except for an administrator's first sign-in by CLI.
            auth_flows=cognito.AuthFlow(user_srp=True, admin_user_password=True),
            generate_secret=False,
            prevent_user_existence_errors=True,
            id_token_validity=Duration.hours(1),
            access_token_validity=Duration.hours(1),
            refresh_token_validity=Duration.days(30),
            disable_o_auth=True,
            read_attributes=cognito.ClientAttributes()
            .with_standard_attributes(email=True, email_verified=True)
            .with_custom_attributes("tenant_id"),
            write_attributes=cognito.ClientAttributes().with_standard_attributes(email=True),
        )
