// Bearer tokens, kept as SHA-256.
#pragma once

#include "founder/context.hpp"

namespace stratum::founder {

Answer<MadeToken> create_token(Context& context, const std::string& note, const Node& policy,
                               const Caller& caller);
Answer<std::vector<TokenRecord>> list_tokens(Context& context);
Answer<void> revoke_token(Context& context, const std::string& id, const Caller& caller);
Answer<TokenRecord> authenticate(Context& context, std::string_view token);

// Makes a token inside a transaction: for init's first one, too.
MadeToken make_token(Ledger& ledger, const TokenRecord& wanted);

} // namespace stratum::founder
