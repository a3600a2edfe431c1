// The join code in its two spellings. The short one is 16 characters of 23456789ABCDEFGHJKMNPQRS…Z
// without look-alikes (78 bits) in groups of four; the long one is a URI that also carries where
// the founder is and its key's fingerprint. A join code is a secret: it is never logged, never
// sent.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/net.hpp"
#include "common/link/fingerprint.hpp"

namespace stratum::link {

// 30 characters: neither I, L, O, U nor 0, 1.
inline constexpr std::string_view kCodeAlphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

class JoinCode {
public:
    static JoinCode generate();
    // Case, hyphens and white space do not count; the message says which character cannot be.
    static Result<JoinCode> parse(std::string_view text);

    [[nodiscard]] std::string grouped() const; // XXXX-XXXX-XXXX-XXXX
    [[nodiscard]] Sha256 key() const;          // K = SHA-256("stratum-join-code-v1" ‖ 0 ‖ code)
    [[nodiscard]] std::string id() const;      // 8 hex digits; may be shown and sent

private:
    explicit JoinCode(std::string text) : text_(std::move(text)) {}
    std::string text_; // 16 characters
};

// stratum-join://HOST:PORT[,HOST:PORT…]/CODE?k=FINGERPRINT
struct JoinUri {
    std::vector<HostPort> founders; // at least one, tried in order
    JoinCode code;
    Fingerprint founder_key;

    static Result<JoinUri> parse(std::string_view text);
    [[nodiscard]] std::string str() const;
};

} // namespace stratum::link
